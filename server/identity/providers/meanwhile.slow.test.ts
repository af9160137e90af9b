/** Providers that an administrator switches off, changes or deletes while somebody is signing in with them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { addTotp, codeOf } from '../../../test/factors.ts'
import { browserOf, openBrowser, type TestBrowser } from '../../../test/oidc/browser.ts'
import { lyingPortal } from '../../../test/oidc/lying-portal.ts'
import { PASSWORD, until } from '../../../test/portal.ts'
import { holdNextTransaction, whileNoneRecords } from '../../../test/race.ts'

const lying = lyingPortal({ createPeople: true })
const { portal, change, at, link, signIn } = lying

/** Answers an attempt, and calls `act` once the provider is asked for the token. Returns the page that the browser gets. */
async function answerDuring(act: () => Promise<unknown>, claims: object, { browser = openBrowser(portal), url }: Asked = {}) {
  const { liar } = lying
  liar.instead.set('/token', (response) => {
    const token = { access_token: 'access', token_type: 'Bearer', id_token: liar.state.idToken }
    void act().then(() => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(token)))
  })
  const path = await liar.answer(browser, { ...claims }, { ...(url && { at: url }) }).finally(() => liar.instead.clear())
  return { path, browser }
}
interface Asked {
  browser?: TestBrowser
  url?: string
}

/** The id of a second provider. */
const OTHER = 1000

const open = () => change({ isActive: true })
const close = () => change({ isActive: false })
const living = async () =>
  (await portal.sql(`select from sessions where provider_id = ${lying.id} and ended_at is null and expires_at > now()`)).length
const waiting = async () =>
  (await portal.sql(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)).length

/** Opens a transaction, as another instance would. Returns a function that commits it. */
async function uncommitted(...statements: string[]) {
  const client = new pg.Client(portal.connection)
  await client.connect()
  await client.query(['begin', ...statements].join(';'))
  return () => client.query('commit').finally(() => client.end())
}
const deactivating = () =>
  uncommitted(
    `select from sign_in_providers where id = ${lying.id} for update`,
    `insert into ledger (kind, target_type, target_id, facts) values ('test.meddled', 'provider', ${lying.id}, '{}')`,
    `update sign_in_providers set is_active = false where id = ${lying.id}`,
  )
const holdingSessions = () => uncommitted(`select from sessions where provider_id = ${lying.id} for update`)

test('a provider that is deactivated before it answers signs nobody in', async () => {
  const { path, browser } = await answerDuring(close, { sub: 'late', email: 'late@example.org' })
  assert.deepEqual([path, (await browser.me()).status, await living()], ['/sign-in?failed=not_allowed', 401, 0])
  await open()
})

test('requirements that change before the provider answers apply to the answer', async () => {
  const demand = () => change({ require: [{ claim: 'department', anyOf: ['finance'] }] })
  const { path, browser } = await answerDuring(demand, { sub: 'outsider', email: 'outsider@example.org' })
  assert.deepEqual([path, (await browser.me()).status], ['/sign-in?failed=not_allowed', 401])
  await change({ require: [] })
})

test('an account is neither linked nor signed in if its provider is deactivated during the proof', async () => {
  const huda = await portal.person('huda')
  const { browser, path } = await signIn({ sub: 'hudas', email: 'huda@example.org' })
  assert.equal(path, '/sign-in/connect?provider=liar')
  const commit = await deactivating()
  const proving = browser.call('POST', '/auth/oidc/pending/link', { password: PASSWORD })
  await until('the proof waits', waiting)
  await commit()
  assert.equal((await proving).status, 401)
  assert.deepEqual([(await portal.admin.get(`/users/${huda.id}/identities`)).body, await living()], [[], 0])
  await open()
})

test('a second factor signs nobody in, without a deadlock, if its provider is deactivated at the same time', async () => {
  await change({ secondFactor: 'own' })
  const omar = await portal.person('omar')
  const { secret } = await addTotp(omar)
  await link(omar, 'omars')
  const { browser, path } = await signIn({ sub: 'omars' })
  assert.equal(path, '/sign-in/second')
  const commit = await deactivating()
  const completing = browser.call('POST', '/auth/login/second-factor', { code: codeOf(secret) })
  await until('the second step waits', waiting)
  await commit()
  assert.equal((await completing).status, 401)
  assert.equal(await living(), 0)
  await change({ isActive: true, secondFactor: 'trusted' })
})

test('of two ways to sign in, one stays when one is disconnected while the provider of the other is deleted', async () => {
  const { browser } = await signIn({ sub: 'two-ways', email: 'two-ways@example.org', auth_time: lying.liar.now() })
  const { id } = (await browser.me()).body
  await portal.meddle(
    'provider',
    OTHER,
    `insert into sign_in_providers (id, slug, name_ar, name_en, issuer, client_id, client_auth, claims, checked_at, is_active)
       values (${OTHER}, 'other', 'آخر', 'Other', 'https://id.example.org', 'portal', 'none', '{}', now(), true)`,
  )
  await portal.meddle('user', id, `insert into identities (provider_id, subject, user_id) values (${OTHER}, 'other way', ${id})`)
  const [own] = (await portal.admin.get(`/users/${id}/identities`)).body.filter(
    ({ subject }: { subject: string }) => subject === 'two-ways',
  )
  const answers = await whileNoneRecords(portal, async () => {
    const unlinking = browser.call('DELETE', `/auth/me/identities/${own.id}`)
    await until('it is about to be recorded', waiting)
    const before = await waiting()
    const deleting = portal.admin.delete(`/admin/sign-in/providers/${OTHER}`)
    await until('the other waits as well', async () => (await waiting()) > before)
    return { unlinking, deleting }
  })
  const [unlinked, deleted] = [await answers.unlinking, await answers.deleting]
  assert.deepEqual([unlinked.status, deleted.status, deleted.body?.code], [204, 409, 'last_sign_in_method'])
  await portal.admin.delete(`/admin/sign-in/providers/${OTHER}?force=true`)
})

test('changing a provider does not deadlock with a second step that waits for it', async () => {
  await change({ secondFactor: 'own' })
  const rana = await portal.person('rana')
  const { secret } = await addTotp(rana)
  await link(rana, 'ranas')
  const enter = async (code: string) => {
    const { browser } = await signIn({ sub: 'ranas' })
    return { browser, complete: () => browser.call('POST', '/auth/login/second-factor', { code }) }
  }
  assert.equal((await (await enter(codeOf(secret))).complete()).status, 200)
  const { complete } = await enter(codeOf(secret, 1))
  const holding = await holdingSessions()
  const closing = close()
  await until('the change waits for a session that began there', waiting)
  const before = await waiting()
  const completing = complete()
  await until('the second step waits for it', async () => (await waiting()) > before)
  const checked = await portal.admin.post(`${at()}/check`)
  await holding()
  await closing
  assert.deepEqual([(await completing).status, checked.status, await living(), await portal.deadlocks()], [401, 200, 0, 0])
  await change({ isActive: true, secondFactor: 'trusted' })
})

test('a rule that is added during a sign-in applies from the next sign-in', async () => {
  const lina = await portal.person('lina')
  const { body: group } = await portal.admin.post('/groups', { name: 'Finance' })
  await link(lina, 'linas')
  const claims = { sub: 'linas', groups: ['finance'] }
  const isMember = async () => (await portal.admin.get(`/groups/${group.id}`)).body.userIds.includes(lina.id)
  const browser = openBrowser(portal)
  const url = await browser.start('liar')
  const hold = holdNextTransaction()
  const coming = lying.liar.answer(browser, claims, { at: url })
  await until('its transaction is about to begin', () => hold.isHeld)
  await change({ groupRules: [{ value: 'finance', groupId: group.id }] })
  hold.letGo()
  assert.deepEqual([await coming, await isMember()], ['/', false])
  assert.deepEqual([(await signIn(claims)).path, await isMember()], ['/', true])
})

test('for every purpose, an attempt at a deleted provider ends on a page of the portal', async () => {
  const own = (address: string) => async (browser: TestBrowser) => (await browser.call('POST', address, {})).body.url as string
  const trying = (browser: TestBrowser) => own(`${at()}/try`)(browser)
  const comings: [begin: (browser: TestBrowser) => Promise<string>, claims: object, path: string][] = [
    [(browser) => browser.start('liar'), { sub: 'new', email: 'new@example.org' }, '/sign-in?failed=not_allowed'],
    [own('/auth/me/identities/liar/start'), { sub: 'admins' }, '/account/security?failed=not_allowed'],
    [trying, { sub: 'tried' }, '/admin/sign-in?tried=liar'],
    [trying, { nonce: 'of another attempt' }, '/admin/sign-in?tried=liar'],
  ]
  for (const [begin, claims, path] of comings) {
    const browser = browserOf(portal, portal.admin)
    const url = await begin(browser)
    const remove = () => portal.admin.delete(`${at()}?force=true`)
    assert.equal((await answerDuring(remove, claims, { browser, url })).path, path)
    assert.equal((await portal.admin.get(at())).status, 404)
    await lying.add()
  }
})
