/** Pushes that the push service does not accept, and secrets that must never be logged. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { until } from '../../../test/portal.ts'
import { PUSH_HOST, pushPortal, type Reply, type Subscription } from '../../../test/push-service.ts'

const lines: string[] = []
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
const { service, vapid, portal, newReader, subscribe, notify, settled, jobs, failed, retryNow } = await pushPortal(
  { PUSH_INTERNAL_HOSTS: PUSH_HOST },
  log,
)

const secretsOf = ({ endpoint, keys }: Subscription) => [new URL(endpoint).pathname, keys.p256dh, keys.auth]
const subscriptionsOf = ({ id }: { id: number }) => portal.sql(`select id from push_subscriptions where user_id = ${id}`)
const changesOf = ({ id }: { id: number }) =>
  portal.sql<{ kind: string; facts: object; actor: number | null }>(
    `select kind, facts, actor_id as actor from ledger where target_type = 'user' and target_id = ${id} and kind like 'push.%' order by id`,
  )
const warnings = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'a push was abandoned')

/** Makes the push service accept pushes again, and waits until every push has arrived. */
async function recover() {
  service.answerWith(201)
  await retryNow()
  await settled()
}

for (const [reply, error] of [
  [503, /^the push service localhost answered 503$/],
  [500, /^the push service localhost answered 500$/],
  [429, /^the push service localhost answered 429$/],
  ['hang-up', /^localhost could not be asked \([A-Z_]+\)$/],
] as [Reply, RegExp][])
  test(`a push is retried after ${reply}, and arrives once`, async () => {
    const { person, browser } = await newReader()
    service.answerWith(reply)
    await notify(person, { title_en: 'Secret title' })
    assert.match((await failed()).error!, error)
    await retryNow()
    await failed(2)
    await recover()
    assert.deepEqual([browser.received.length, browser.timesAsked()], [1, 3])
    assert.equal((await subscriptionsOf(person)).length, 1)
  })

for (const reply of [404, 410])
  test(`a subscription answered ${reply} is removed and not asked again, and a later one of its owner stays`, async () => {
    const { person, browser } = await newReader()
    service.answerWith(reply)
    await notify(person)
    await settled()
    service.answerWith(201)
    assert.deepEqual(await subscriptionsOf(person), [])
    assert.deepEqual((await changesOf(person)).at(-1), { kind: 'push.unsubscribed', facts: { reason: 'gone' }, actor: null })
    await subscribe(person, service.newBrowser())
    await notify(person)
    await settled()
    assert.equal(browser.timesAsked(), 1)
    assert.equal((await subscriptionsOf(person)).length, 1)
  })

for (const reply of [301, 307, 400, 401, 403, 413])
  test(`a push answered ${reply} is abandoned with one line in the log, and the subscription stays`, async () => {
    const { person, browser } = await newReader()
    const before = warnings().length
    service.answerWith(reply)
    await notify(person)
    await settled()
    service.answerWith(201)
    assert.deepEqual([browser.timesAsked(), browser.received.length], [1, 0])
    assert.equal((await subscriptionsOf(person)).length, 1)
    const [{ host, status }] = warnings().slice(before)
    assert.deepEqual([warnings().length, host, status], [before + 1, 'localhost', reply])
    assert.ok(!service.asked.includes('/elsewhere'))
  })

test('other jobs continue while a push service does not answer', async () => {
  const readers = [await newReader(), await newReader()]
  service.answerWith('silence')
  for (const { person } of readers) for (let n = 0; n < 4; n++) await notify(person)
  await until('all of them wait for an answer', async () => service.waiting() === 8)
  await portal.sql(`select graphile_worker.add_job('clean_up')`)
  const others = `select from graphile_worker.jobs where task_identifier = 'clean_up'`
  await until('another job is done', async () => (await portal.sql(others)).length === 0)
  assert.equal(service.waiting(), 8)
  service.hangUp()
  await until('all have failed', async () => (await jobs()).filter(({ error }) => error).length === 8)
  await recover()
})

/** Every row, as text, of the tables that must not contain secrets. */
async function storedRows() {
  const tables = await portal.sql<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('public', 'graphile_worker') and tablename not in ('push_subscriptions', 'notifications')`,
  )
  const rows = await Promise.all(tables.map(({ name }) => portal.sql<{ line: string }>(`select t::text as line from ${name} t`)))
  return rows.flat().map(({ line }) => line)
}

test('log and ledger contain no endpoint, key, text or answer of the push service, and the queue contains no key', async () => {
  const { person } = await newReader()
  service.answerWith(503)
  await notify(person, { title_en: 'Secret title' })
  await failed()
  const [stored, secrets] = [await storedRows(), service.subscriptions.flatMap(secretsOf)]
  const everything = [...lines, ...stored].join('\n')
  assert.ok(lines.length > 30 && stored.length > 100 && secrets.length > 30)
  for (const secret of [...secrets, vapid.privateKey, 'Secret title', 'rejected']) assert.ok(!everything.includes(secret), secret)
  await recover()
})
