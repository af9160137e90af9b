import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ascending, silence, tracing } from '../../../test/makers.ts'
import { type Client, PASSWORD, testPortal, until } from '../../../test/portal.ts'
import { scale } from '../../../test/suite.ts'

const portal = testPortal()
const { traced, silent } = tracing(portal)

const post = (path: string, body: unknown) => portal.stranger().post(path, body)
const reset = (token: string, newPassword = 'another one') => post('/auth/reset-password', { token, newPassword })
const isGood = async (token: string) => (await post('/auth/reset-password/verify', { token })).body.valid as boolean
const signIn = async (username: string, password: string) => (await post('/auth/login', { username, password })).status

const issue = (id: number) => portal.admin.post(`/auth/admin/users/${id}/issue-reset-link`)
const tokenIn = (url: string) => new URL(url).searchParams.get('token')!
const tokenFor = async ({ id }: Client) => tokenIn((await issue(id)).body.resetUrl)

/** Requests a link, and waits for the job that sends it. */
async function forget(identifier: string) {
  const answer = await post('/auth/forgot-password', { identifier })
  const waiting = `select from graphile_worker.jobs where task_identifier = 'answer_forgotten_password'`
  await until('the job is done', async () => (await portal.sql(waiting)).length === 0)
  return answer
}

test('an administrator gets a link for a person, valid for 24 hours', async () => {
  const huda = await portal.person('huda')
  const { status, body } = await issue(huda.id)
  assert.equal(status, 200)
  assert.deepEqual(Object.keys(body).sort(), ['expiresAt', 'resetUrl'])
  assert.match(body.resetUrl, /^http:\/\/localhost:3000\/reset-password\?token=[\w-]{43}$/)
  assert.ok(Math.abs(Date.parse(body.expiresAt) - Date.now() - 24 * 3600_000) < 60_000)
})

/** The tables that hold a text anywhere in a row. */
async function tablesWith(text: string) {
  const tables = await portal.sql<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
  )
  const found = await Promise.all(
    tables.map(async ({ name }) => (await portal.sql(`select from ${name} t where t::text like '%' || $1 || '%'`, [text])).length),
  )
  return tables.filter((_, index) => found[index]).map(({ name }) => name)
}

test('issuing a link is audited, and its token is stored nowhere', async () => {
  const huda = await portal.person('audited')
  const { answer, ...traces } = await traced(() => issue(huda.id))
  const audit = [{ action: 'user.reset_link.issue', type: 'user', target: huda.id, metadata: { username: 'audited' } }]
  assert.deepEqual(traces, { ...silence, audit })
  assert.deepEqual(await tablesWith(tokenIn(answer.body.resetUrl)), [])
  assert.ok((await tablesWith('audited@example.org')).includes('public.users'))
})

test('only administrators issue links, and only for people who exist', async () => {
  const huda = await portal.person('curious')
  const at = (id: unknown) => `/auth/admin/users/${id}/issue-reset-link`
  assert.equal((await portal.stranger().post(at(huda.id))).status, 401)
  assert.equal((await huda.post(at(huda.id))).status, 403)
  assert.equal((await huda.post(at('x'))).status, 403)
  assert.deepEqual([(await portal.admin.post(at(2147483647))).status, (await portal.admin.post(at('x'))).status], [404, 400])
})

test('a link sets a new password, once', async () => {
  const huda = await portal.person('once')
  const token = await tokenFor(huda)
  assert.equal(await isGood(token), true)
  const { status, body } = await reset(token)
  assert.deepEqual([status, body], [200, { success: true }])
  assert.deepEqual([await signIn('once', PASSWORD), await signIn('once', 'another one')], [401, 200])
  assert.equal(await isGood(token), false)
  const second = await reset(token, 'a third one')
  assert.deepEqual([second.status, second.body.code], [400, 'invalid_token'])
})

test('a reset is audited, and its author is the person', async () => {
  const huda = await portal.person('everywhere')
  await portal.stranger().signIn('everywhere')
  const token = await tokenFor(huda)
  const { answer: _, ...traces } = await traced(() => reset(token))
  assert.deepEqual(traces, {
    ...silence,
    audit: [{ action: 'auth.password.reset', type: 'user', target: huda.id, metadata: {} }],
    events: [{ event: 'session_ended', data: { reason: 'password_reset' }, to: [huda.id] }],
  })
  const [row] = await portal.sql<{ actor: number; name: string }>(
    `select actor_id as actor, actor_username as name from ledger where action = 'auth.password.reset' order by id desc limit 1`,
  )
  assert.deepEqual(row, { actor: huda.id, name: 'everywhere' })
})

test('a reset ends all sessions of the person', async () => {
  const huda = await portal.person('two.devices')
  const phone = await portal.stranger().signIn('two.devices')
  await reset(await tokenFor(huda))
  assert.deepEqual([(await huda.get('/auth/me')).status, (await phone.get('/auth/me')).status], [401, 401])
})

test('a newer link voids the older one', async () => {
  const huda = await portal.person('newer')
  const [older, newer] = [await tokenFor(huda), await tokenFor(huda)]
  assert.deepEqual([await isGood(older), await isGood(newer)], [false, true])
  assert.equal((await reset(older)).status, 400)
  assert.equal((await reset(newer)).status, 200)
})

test('an expired link does not work', async () => {
  const huda = await portal.person('late')
  const token = await tokenFor(huda)
  await portal.meddle('user', huda.id, `update password_resets set expires_at = now() where user_id = ${huda.id}`)
  assert.equal(await isGood(token), false)
  const { status, body } = await reset(token)
  assert.deepEqual([status, body.code, await signIn('late', PASSWORD)], [400, 'invalid_token', 200])
})

test('the link of a deactivated person does not work', async () => {
  const huda = await portal.person('inactive')
  const token = await tokenFor(huda)
  await portal.admin.patch(`/users/${huda.id}`, { isActive: false })
  assert.deepEqual([await isGood(token), (await reset(token)).body.code], [false, 'invalid_token'])
})

test('the link of a deleted person does not work', async () => {
  const huda = await portal.person('deleted')
  const token = await tokenFor(huda)
  await portal.admin.delete(`/users/${huda.id}`)
  assert.deepEqual([await isGood(token), (await reset(token)).body.code], [false, 'invalid_token'])
})

test('a new password that is too short does not use the link up', async () => {
  const huda = await portal.person('short')
  const token = await tokenFor(huda)
  for (const newPassword of ['', '12345', 'x'.repeat(257)]) {
    const { status, body } = await reset(token, newPassword)
    assert.deepEqual([status, body.code, body.details[0].path], [400, 'validation_failed', 'newPassword'])
  }
  assert.equal((await reset(token, '123456')).status, 200)
})

test('a malformed token is refused, and reported as invalid when it is verified', async () => {
  for (const token of ['x', 'x'.repeat(43), "' or true --", 'رمز']) {
    assert.equal(await isGood(token), false)
    assert.equal((await reset(token)).body.code, 'invalid_token')
  }
  for (const body of [{}, { token: '' }, { token: null }, { token: 7 }, { token: 'x'.repeat(201) }, []]) {
    assert.equal((await post('/auth/reset-password/verify', body)).status, 400)
  }
})

test('of many simultaneous uses of one link, one succeeds', async () => {
  const token = await tokenFor(await portal.person('crowd'))
  const statuses = (await Promise.all(Array.from({ length: 8 }, (_, n) => reset(token, `password ${n}`)))).map(({ status }) => status)
  assert.deepEqual(statuses.sort(), [200, ...Array(7).fill(400)])
})

test('issuing and using links simultaneously does not deadlock', async () => {
  const huda = await portal.person('locked')
  const before = await portal.deadlocks()
  for (let round = 0; round < scale(5, 50); round++) {
    const token = await tokenFor(huda)
    const [used, issued] = await Promise.all([reset(token), issue(huda.id)])
    assert.ok([200, 400].includes(used.status) && issued.status === 200)
  }
  assert.equal(await portal.deadlocks(), before)
})

test('without a mail server, every active administrator is notified that someone forgot their password', async () => {
  await portal.person('forgot')
  const [second, inactive] = [await portal.person('second', { roles: ['admin'] }), await portal.person('off', { roles: ['admin'] })]
  await portal.admin.patch(`/users/${inactive.id}`, { isActive: false })
  const { answer, notices, events, ...others } = await traced(() => forget('FORGOT@example.org'))
  assert.deepEqual([answer.status, answer.body], [200, { success: true }])
  assert.deepEqual(ascending(notices.map(({ user }) => user)), [portal.admin.id, second.id])
  assert.deepEqual(
    events.map(({ event, to }) => [event, to]),
    [portal.admin, second].map(({ id }) => ['notification_created', [id]]),
  )
  assert.deepEqual(others, { audit: [], histories: [] })
})

test('the notice of a forgotten password names the person in both languages', async () => {
  const huda = await portal.person('forgetful', { displayNameAr: 'هدى', displayNameEn: 'Huda' })
  const stream = await portal.admin.listen()
  await forget('forgetful')
  const { id, createdAt, ...notification } = (await stream.next('notification_created', (data) => data.notification.relatedId === huda.id))
    .data.notification
  assert.deepEqual(notification, {
    userId: portal.admin.id,
    type: 'system',
    titleAr: 'طلب استعادة كلمة المرور',
    titleEn: 'Password reset requested',
    bodyAr: 'ورد طلب لاستعادة كلمة المرور لحساب هدى.',
    bodyEn: 'Someone asked to reset the password of Huda.',
    relatedType: 'user',
    relatedId: huda.id,
    joinUrl: null,
    isRead: false,
  })
  assert.ok(id > 0 && Date.parse(createdAt) > 0)
})

test('unknown and deactivated people get the same answer, and nothing is written', async () => {
  const away = await portal.person('away')
  await portal.admin.patch(`/users/${away.id}`, { isActive: false })
  for (const identifier of ['nobody', 'nobody@example.org', 'away', "x' or true --"]) {
    const { status, body } = await silent(() => forget(identifier))
    assert.deepEqual([status, body], [200, { success: true }], identifier)
  }
})

test('a request for a link without a valid identifier is refused', async () => {
  for (const identifier of [undefined, '', '  ', null, ['x'], 'x'.repeat(321)])
    assert.equal((await post('/auth/forgot-password', { identifier })).status, 400)
})
