/** How the audit stream fails, falls behind and goes on. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { fileCollector, type Line } from '../../../test/collector.ts'
import { freePort } from '../../../test/free-port.ts'
import { runJob } from '../../../test/jobs.ts'
import { quiet, testPortal, until } from '../../../test/portal.ts'
import { watchAuditStream } from './jobs.ts'

const collector = await fileCollector()
const portal = testPortal({ ...collector.env, PORT: String(await freePort()) })

let roles = 0
/** Makes a change that the audit log lists. Returns the role's id. */
async function addRole() {
  const { body } = await portal.admin.post('/roles', { name: `failing_${++roles}` })
  return body.id as number
}
const isRole = (id: number) => (line: Line) => line.action === 'role.create' && line.targetId === id
const readState = async () => (await portal.admin.get('/admin/audit-stream')).body
const WAITING = 'select place from audit_stream_places where place > (select place from audit_stream) order by place'
const fine: typeof collector.answers = (_got, reply) => reply.writeHead(200).end()
const down: typeof collector.answers = (_got, reply) => reply.writeHead(503).end()

test('a line that is refused alone for a day is replaced by its number, and the stream goes on', async () => {
  let refused = 0
  collector.answers = ({ lines }, reply) => reply.writeHead(lines.some(isRole(refused)) ? 400 : 200).end()
  const before = await addRole()
  await collector.next('the line before', isRole(before))
  refused = before + 1
  const id = await addRole()
  assert.equal(id, refused)
  await until('it is refused alone', async () => (await portal.sql('select from audit_stream where refused_since is not null')).length)
  await portal.sql(`update audit_stream set refused_since = now() - interval '25 hours'`)
  const { id: place } = await collector.next('the mark', ({ refused }) => refused === true)
  assert.deepEqual(
    collector.taken.find((line) => line.id === place),
    { id: place, refused: true },
  )
  const later = await addRole()
  await collector.next('the next line', isRole(later))
  const { body } = await portal.admin.get('/notifications?limit=20')
  assert.ok(body.some(({ titleEn }: { titleEn: string }) => titleEn === 'The collector refused an entry of the audit log'))
  collector.answers = fine
})

test('a line that was refused a day ago is sent unchanged if the collector takes it now, and refusals of an earlier line do not count', async () => {
  const last = await addRole()
  await collector.next('the line before', isRole(last))
  collector.answers = ({ lines }, reply) => reply.writeHead(lines.some(isRole(last + 1)) ? 400 : 200).end()
  await addRole()
  const refusedNow = () =>
    until(
      'it is refused alone',
      async () => (await portal.sql(`select from audit_stream where refused_since > now() - interval '1 hour'`)).length,
    )
  await refusedNow()
  // As if an earlier line had been refused yesterday.
  await portal.sql(`update audit_stream set refused_since = now() - interval '25 hours', refused_place = refused_place - 1`)
  await refusedNow()
  collector.answers = fine
  await portal.sql(`update audit_stream set refused_since = now() - interval '25 hours'`)
  const line = await collector.next('the line', isRole(last + 1))
  assert.deepEqual(
    collector.taken.filter(({ id }) => id === line.id),
    [line],
  )
})

test('a collector that answers 413 with Retry-After gets half as much next', async () => {
  await collector.stop()
  const ids = await Promise.all(Array.from({ length: 8 }, addRole))
  await until('they have places', async () => (await portal.sql(WAITING)).length >= ids.length)
  const before = collector.got.length
  collector.answers = ({ lines }, reply) => (lines.length > 3 ? reply.writeHead(413, { 'retry-after': '1' }) : reply.writeHead(200)).end()
  await collector.start()
  for (const id of ids) await collector.next('a line', isRole(id))
  const sizes = collector.got.slice(before).map(({ lines }) => lines.length)
  const refused = sizes.findIndex((size) => size > 3)
  assert.ok(refused >= 0)
  assert.equal(sizes[refused + 1], Math.ceil(sizes[refused]! / 2))
  collector.answers = fine
})

test('administrators are told once when the stream is an hour behind', async () => {
  collector.answers = down
  await addRole()
  await portal.sql(`update audit_stream set started_at = now() - interval '2 days'`)
  const age = `update audit_stream_places set at = now() - interval '61 minutes' where place = any(array(${WAITING})) returning 1`
  await until('it has a place', async () => (await portal.sql(age)).length)
  await runJob(portal, 'watch_audit_stream')
  await runJob(portal, 'watch_audit_stream')
  const { body } = await portal.admin.get('/notifications?limit=20')
  assert.equal(body.filter(({ titleEn }: { titleEn: string }) => titleEn === 'The audit stream is an hour behind').length, 1)
  assert.equal((await readState()).lagSeconds >= 3600, true)
  collector.answers = fine
  await until('it works again', async () => (await readState()).behind === 0)
})

test('entries that an open transaction holds back count as behind, and administrators are told after an hour', async (t) => {
  const running = new pg.Client(portal.connection)
  await running.connect()
  t.after(() => running.end())
  const add = (at: string, action: string) =>
    `insert into ledger (at, kind, target_type, target_id, action, facts) values (${at}, 'test', 'test', 1, '${action}', '{}')`
  await running.query(`begin; ${add('now()', 'test.running')}`)
  await portal.sql(`update audit_stream set started_at = now() - interval '2 days', told = false`)
  await portal.sql(add(`now() - interval '61 minutes'`, 'test.held'))
  const { state, behind, lagSeconds } = await readState()
  assert.deepEqual([state, behind > 0, lagSeconds >= 3660], ['behind', true, true])
  const notices = `select count(*)::int as count from notifications where title_en = 'The audit stream is an hour behind'`
  const [before] = await portal.sql<{ count: number }>(notices)
  await runJob(portal, 'watch_audit_stream')
  const [after] = await portal.sql<{ count: number }>(notices)
  assert.equal(after!.count, before!.count + 1)
  await running.query('commit')
  await collector.next('what was held back', ({ action }) => action === 'test.held')
  await until('it is up to date', async () => {
    const now = await readState()
    return now.behind === 0 && now.state === 'working'
  })
})

test('lines wait while the collector fails, and are sent in order after it works again, even after a restart', async () => {
  collector.answers = down
  const first = await addRole()
  const failing = await until('it fails', async () => {
    const one = await readState()
    return one.state === 'failing' ? one : undefined
  })
  assert.deepEqual([failing.lastError, failing.lastStatus], ['status', 503])
  assert.ok(failing.behind > 0 && failing.failingSince)
  const second = await addRole()
  await portal.stop()
  collector.answers = fine
  await portal.startAgain()
  await collector.next('the second', isRole(second))
  const order = collector.taken.filter((line) => isRole(first)(line) || isRole(second)(line)).map(({ targetId }) => targetId)
  assert.deepEqual(order, [first, second])
})

test('the stream counts as on while an instance sends, and as off once only instances without a collector run', async () => {
  const isOn = async () => (await portal.sql<{ isOn: boolean }>('select is_on as "isOn" from audit_stream'))[0]!.isOn
  const other = await portal.another({ PORT: '0', AUDIT_STREAM_URL: '', AUDIT_STREAM_CA: '' })
  const watch = () => watchAuditStream(null, { ...other, log: quiet } as never)
  collector.answers = down
  await addRole()
  await until('it waits', async () => (await readState()).behind > 0)
  await watch()
  assert.equal(await isOn(), true)
  assert.ok((await readState()).behind > 0)
  await portal.stop()
  await until('nobody sends', async () => {
    await watch()
    return !(await isOn())
  })
  collector.answers = fine
  await portal.startAgain()
  await until('it sends again', isOn)
})
