/** A call repeated with the same `Idempotency-Key` is carried out once and gets the same answer. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { makers, silence } from './makers.ts'
import { type Answer, type Client, testPortal, until } from './portal.ts'

const portal = testPortal()
const make = makers(portal)

const post = (who: Client, path: string, body: unknown, key: string) => who.send('POST', path, body, { 'idempotency-key': key })
const statusAndText = ({ status, text }: Answer) => [status, text]
const stored = () => portal.sql<{ line: string }>('select idempotency_keys::text as line from idempotency_keys')

test('a repeated call returns the same order, and sends no second notification', async () => {
  const [who, service] = [await make.newPerson(), await make.newService()]
  const first = await post(who, '/orders', { serviceId: service.id, notes: 'سكر قليل' }, 'one')
  assert.equal(first.status, 201)
  const traces = await portal.traces(async () => {
    assert.deepEqual(statusAndText(await post(who, '/orders', { serviceId: service.id, notes: 'سكر قليل' }, 'one')), statusAndText(first))
  })
  assert.deepEqual(traces, silence)
  assert.equal((await who.get('/orders/my')).body.length, 1)
})

test('a call with another key, without a key, or by another person is carried out anew', async () => {
  const [huda, salem, service] = [await make.newPerson(), await make.newPerson(), await make.newService()]
  const body = { serviceId: service.id }
  const answers = [
    await post(huda, '/orders', body, 'a'),
    await post(huda, '/orders', body, 'b'),
    await huda.post('/orders', body),
    await post(salem, '/orders', body, 'a'),
  ]
  assert.equal(new Set(answers.map((answer) => answer.body.id)).size, 4)
})

test('the same key with another body or address is refused and does nothing', async () => {
  const [who, service, other] = [await make.newPerson(), await make.newService(), await make.newService()]
  await post(who, '/orders', { serviceId: service.id }, 'taken')
  const traces = await portal.traces(async () => {
    for (const [path, body] of [
      ['/orders', { serviceId: other.id }],
      ['/notes', { title: 'Plan' }],
    ] as const) {
      const { status, body: said } = await post(who, path, body, 'taken')
      assert.deepEqual([status, said.code], [422, 'idempotency_mismatch'])
    }
  })
  assert.deepEqual(traces, silence)
})

test('of many simultaneous repeats at two instances, one is carried out, and all get its answer', async () => {
  const elsewhere = (await portal.another()).base
  for (let round = 0; round < 5; round++) {
    const who = await make.newPerson()
    const twin = Object.assign(Object.create(who), { base: elsewhere }) as Client
    const send = (n: number) => post(n % 2 ? twin : who, '/notes/folders', { name: 'Plans' }, `round ${round}`)
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => send(n)))
    assert.deepEqual(new Set(answers.map((answer) => statusAndText(answer).join())), new Set([statusAndText(answers[0]!).join()]))
    assert.equal(answers[0]!.status, 201)
    assert.equal((await who.get('/notes/folders')).body.length, 1)
  }
})

test('a repeat gets the first answer even where a new call would be refused', async () => {
  const name = `group${Date.now()}`
  const answers = await Promise.all(Array.from({ length: 6 }, () => post(portal.admin, '/groups', { name }, name)))
  assert.deepEqual(
    answers.map(({ status }) => status),
    Array(6).fill(201),
  )
  assert.equal((await portal.admin.post('/groups', { name })).status, 409)
})

test('a refused call may be repeated, and succeeds once it can', async () => {
  const service = await make.newService({ isAvailable: false })
  const who = await make.newPerson()
  assert.equal((await post(who, '/orders', { serviceId: service.id }, 'later')).status, 400)
  await portal.admin.patch(`/services/${service.id}`, { isAvailable: true })
  assert.equal((await post(who, '/orders', { serviceId: service.id }, 'later')).status, 201)
})

test('opening an app again with the same key counts once', async () => {
  const [who, app] = [await make.newPerson(), await make.newApp()]
  for (let n = 0; n < 3; n++) assert.equal((await post(who, `/apps/${app.id}/open`, undefined, 'opened')).status, 204)
  assert.equal((await portal.sql(`select from app_opens where app_id = ${app.id}`)).length, 1)
  assert.equal((await post(who, '/apps/999999/open', undefined, 'nowhere')).status, 404)
  assert.equal((await post(who, '/apps/999999/open', undefined, 'nowhere')).status, 404)
})

test('a sign-out ends its own session, whatever its Idempotency-Key', async () => {
  const { username } = await make.newPerson()
  for (const _ of [1, 2]) {
    const session = await portal.stranger().signIn(username)
    const { cookie } = session
    const answer = await post(session, '/auth/logout', undefined, 'logout')
    assert.deepEqual([answer.status, session.cookie], [200, ''])
    assert.equal((await portal.stranger().get('/auth/me', { cookie })).status, 401)
  }
})

test('neither the key nor the answer is stored in readable form', async () => {
  const who = await make.newPerson()
  const { body } = await post(portal.admin, `/auth/admin/users/${who.id}/issue-reset-link`, undefined, 'my-own-key')
  const token = new URL(body.resetUrl).searchParams.get('token')!
  for (const { line } of await stored())
    for (const secret of [token, 'my-own-key'])
      for (const text of [secret, Buffer.from(secret).toString('hex'), Buffer.from(secret).toString('base64')])
        assert.ok(!line.includes(text))
  const again = await post(portal.admin, `/auth/admin/users/${who.id}/issue-reset-link`, undefined, 'my-own-key')
  assert.deepEqual(again.body, { ...body, resetUrl: null })
})

test('after a day, a key counts as new, whether or not its row was removed', async () => {
  const [who, service] = [await make.newPerson(), await make.newService()]
  const send = async () => {
    const { status, body, text } = await post(who, '/orders', { serviceId: service.id }, 'daily')
    assert.equal(status, 201, text)
    return body.id
  }
  const age = () => portal.sql(`update idempotency_keys set created_at = now() - interval '24 hours' where user_id = ${who.id}`)
  const first = await send()
  await age()
  const second = await send()
  assert.notEqual(second, first)
  assert.equal(await send(), second)
  const before = (await stored()).length
  await age()
  await portal.sql(`select graphile_worker.add_job('clean_up')`)
  await until('the old key is removed', async () => (await stored()).length === before - 1)
})

test('a key has 1 to 255 printable ASCII characters', async () => {
  const service = await make.newService()
  const status = async (key: string) => (await post(portal.admin, '/orders', { serviceId: service.id }, key)).status
  assert.deepEqual([await status('x'.repeat(255)), await status('~ !')], [201, 201])
  for (const key of ['', 'x'.repeat(256), 'é', 'a\tb']) assert.equal(await status(key), 400, JSON.stringify(key))
})

const rememberedOf = async ({ id }: Client) =>
  (
    await portal.sql<{ keys: number; answers: number; bytes: number }>(
      `select count(*)::int as keys, count(*) filter (where answer <> '')::int as answers, coalesce(sum(octet_length(answer)), 0)::int as bytes
       from idempotency_keys where user_id = ${id}`,
    )
  )[0]!
/** Inserts remembered answers of a person directly. */
const fill = ({ id }: Client, answers: number, bytes: number) =>
  portal.sql(
    `insert into idempotency_keys (user_id, key_hash, fingerprint, answer, created_at)
     select ${id}, sha256(n::text::bytea), '', decode(repeat('00', ${bytes}), 'hex'), now() - interval '1 s' - n * interval '1 ms'
     from generate_series(1, ${answers}) as n`,
  )

test('a person’s remembered answers come to at most 16 MiB; a call whose answer was deleted is refused, not repeated', async () => {
  const who = await make.newPerson()
  const note = { title: 'Long', content: 'س'.repeat(20_000) }
  const first = await post(who, '/notes', note, 'first')
  assert.equal(first.status, 201)
  await portal.sql(`update idempotency_keys set created_at = now() - interval '1 hour' where user_id = ${who.id}`)
  await fill(who, 400, 42_000)
  const last = await post(who, '/notes', note, 'last')
  const { answers, bytes } = await rememberedOf(who)
  assert.ok(bytes <= 16 * 1024 * 1024 && bytes > 16 * 1024 * 1024 - 42_000, `${answers} answers of ${bytes} bytes`)
  assert.deepEqual(statusAndText(await post(who, '/notes', note, 'last')), statusAndText(last))
  const again = await post(who, '/notes', note, 'first')
  assert.deepEqual([again.status, again.body.code], [409, 'answer_forgotten'])
  assert.equal((await post(who, '/notes', { title: 'Other' }, 'first')).body.code, 'idempotency_mismatch')
  assert.equal((await who.get('/notes')).body.length, 2)
})

test('no call waits for answers that another call is deleting', async () => {
  const who = await make.newPerson()
  await fill(who, 501, 1)
  const client = new pg.Client(portal.connection)
  await client.connect()
  await client.query(`begin; select from idempotency_keys where user_id = ${who.id} for update`)
  try {
    assert.equal((await post(who, '/notes', { title: 'Meanwhile' }, 'new')).status, 201)
  } finally {
    await client.end()
  }
})

test('the last 500 answers and the last 100,000 keys of a person are stored', async () => {
  const [who, other] = [await make.newPerson(), await make.newPerson()]
  await fill(who, 100_005, 1)
  await fill(other, 5, 1)
  // The keys of `other` become the oldest, so that they would be deleted first if people shared the limit.
  await portal.sql(`update idempotency_keys set created_at = now() - interval '1 hour' where user_id = ${other.id}`)
  assert.equal((await post(who, '/notes', { title: 'One more' }, 'new')).status, 201)
  assert.deepEqual([(await rememberedOf(who)).answers, (await rememberedOf(other)).answers], [500, 5])
  await portal.sql(`select graphile_worker.add_job('clean_up')`)
  await until('the oldest keys are removed', async () => (await rememberedOf(who)).keys === 100_000)
  assert.equal((await rememberedOf(other)).keys, 5)
})
