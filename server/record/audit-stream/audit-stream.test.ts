import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { createServer } from 'node:tls'
import { makeCertificate } from '../../../test/certificate.ts'
import { fileCollector, fileOf, type Line } from '../../../test/collector.ts'
import { runJob } from '../../../test/jobs.ts'
import { openTestPortal, testPortal, until } from '../../../test/portal.ts'
import { sealLedger } from '../../../test/sealing.ts'
import { tokenOf } from '../../../test/tokens.ts'
import { verifyCopy } from '../../../test/verify-copy.ts'

const collector = await fileCollector()
const portal = testPortal({ ...collector.env, AUDIT_STREAM_TOKEN: 'Splunk 0123-4567' })

let roles = 0
/** Makes a change that the audit log lists. Returns the role's id. */
async function addRole() {
  const { body } = await portal.admin.post('/roles', { name: `streamed_${++roles}` })
  return body.id as number
}
const isRole = (id: number) => (line: Line) => line.action === 'role.create' && line.targetId === id
const readState = async () => (await portal.admin.get('/admin/audit-stream')).body
const readEntries = (after: number, limit = 500) => portal.admin.get(`/admin/audit-stream/entries?after=${after}&limit=${limit}`)
const pull = async (after: number, limit?: number) => (await readEntries(after, limit)).body

test('an entry of the audit log reaches the collector, as one line of compressed JSON', async () => {
  const id = await addRole()
  const line = await collector.next('the line', isRole(id))
  const [row] = await portal.sql<{ id: number; at: string }>(
    `select id::int, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at from ledger where kind = 'role.created' and target_id = $1`,
    [id],
  )
  assert.match(line.rowHash, /^[0-9a-f]{64}$/)
  assert.deepEqual(line, {
    id: line.id,
    at: row!.at,
    source: 'ledger',
    action: 'role.create',
    actor: { id: portal.admin.id, username: 'admin' },
    targetType: 'role',
    targetId: id,
    facts: line.facts,
    sequence: row!.id,
    kind: 'role.created',
    rowHash: line.rowHash,
  })
  const { headers, text } = collector.got.find(({ lines }) => lines.some(isRole(id)))!
  assert.deepEqual(
    [headers['content-type'], headers['content-encoding'], headers.authorization],
    ['application/x-ndjson', 'gzip', 'Splunk 0123-4567'],
  )
  assert.match(text, /\}\n$/)
})

test('a security event becomes a line with the fields of the log and the IP address', async () => {
  await portal.stranger().post('/auth/login', { username: 'streamed-nobody', password: 'a wrong guess' })
  const { id, at: _, facts, ...line } = await collector.next('the line', ({ event }) => event === 'invalid_credentials')
  assert.ok(id > 0)
  assert.deepEqual(line, {
    source: 'security',
    event: 'invalid_credentials',
    actor: null,
    targetType: null,
    targetId: null,
    ip: '127.0.0.1',
  })
  assert.deepEqual([facts.method, facts.route, facts.ip], ['POST', '/api/auth/login', '127.0.0.1'])
  assert.match(facts.name, /^[\w-]{22}$/)
  const huda = await portal.person('streamed-huda')
  await huda.get('/users/1')
  const refused = await collector.next('the refusal', ({ event, actor }) => event === 'forbidden' && actor?.id === huda.id)
  assert.equal(refused.actor.username, 'streamed-huda')
})

test('seals come after all rows that they cover, and the copy alone verifies their chain', async () => {
  const id = await addRole()
  await sealLedger(portal)
  await collector.next('the seal', ({ source, lastId }) => source === 'seal' && lastId >= collector.taken.find(isRole(id))?.sequence)
  const found = verifyCopy(collector.taken)
  assert.ok(found.seals > 0 && found.rows > 0)
  assert.equal(found.wrong, null)
  const changed = collector.taken.map((line) => (isRole(id)(line) ? { ...line, rowHash: '0'.repeat(64) } : line))
  assert.notEqual(verifyCopy(changed).wrong, null)
})

test('the collector gets only the ids and dates of a meeting, and no text', async () => {
  const made = await portal.admin.post('/executive-meetings', { date: '2031-05-06', titleEn: 'Merger of Streams', notes: 'hushed words' })
  assert.equal(made.status, 201)
  const line = await collector.next('the line', ({ action, targetId }) => action === 'meeting.create' && targetId === made.body.id)
  assert.equal(line.facts.after.date, '2031-05-06')
  assert.doesNotMatch(JSON.stringify(line), /Merger|hushed/)
})

test('an administrator can pull the lines of the stream, in order and in parts', async () => {
  const id = await addRole()
  const line = await collector.next('the line', isRole(id))
  const all = await pull(line.id - 3)
  assert.deepEqual(all.entries.find(isRole(id)), line)
  const ids = all.entries.map((one: Line) => one.id)
  assert.deepEqual(
    ids,
    [...ids].sort((one, other) => one - other),
  )
  const { entries, nextAfter } = await pull(0, 2)
  assert.deepEqual([entries.length, nextAfter], [2, entries[1].id])
  assert.deepEqual(await pull(1e12), { entries: [], nextAfter: null })
  for (const query of ['after=-1', 'after=x', 'limit=0', 'limit=501'])
    assert.equal((await portal.admin.get(`/admin/audit-stream/entries?${query}`)).body.code, 'validation_failed')
})

test('what is pulled is cut like what is sent, and an answer ends at a mebibyte', async () => {
  const { id } = await collector.next('a line', isRole(await addRole()))
  const insert = `insert into ledger (kind, target_type, target_id, action, facts) values ('test', 'test', 1, 'test.long', `
  await portal.sql(`${insert} jsonb_build_object('name', 'kept', 'text', repeat('س', 700000)))`)
  for (let n = 0; n < 4; n++) await portal.sql(`${insert} jsonb_build_object('text', repeat('x', 300000)))`)
  const sent = await until('they are sent', () => {
    const some = collector.taken.filter(({ action }) => action === 'test.long')
    return some.length === 5 ? some : undefined
  })
  assert.deepEqual([sent[0].facts, sent[0].cut], [{ name: 'kept' }, ['text']])
  const pulled: Line[] = []
  for (let after: number | null = id; after !== null; ) {
    const { text, body } = await readEntries(after)
    assert.ok(Buffer.byteLength(text) < 1024 ** 2 + 1000)
    pulled.push(...body.entries)
    after = body.nextAfter
  }
  assert.deepEqual(
    pulled.filter(({ action }) => action === 'test.long'),
    sent,
  )
})

test('administrators see how far it is; others, and tokens without the scope, do not', async () => {
  const state = await until('all is sent', async () => {
    const one = await readState()
    return one.behind === 0 ? one : undefined
  })
  const { place, sentAt, host, ...rest } = state
  assert.ok(place > 0 && sentAt && /^localhost:\d+$/.test(host))
  assert.deepEqual(rest, {
    ...{ kind: 'https', state: 'working', behind: 0, lagSeconds: 0, lastError: null, lastStatus: null, failingSince: null },
  })
  const other = await portal.person('streamed-other')
  for (const path of ['/admin/audit-stream', '/admin/audit-stream/entries']) {
    assert.equal((await portal.stranger().get(path)).status, 401)
    assert.equal((await other.get(path)).body.code, 'forbidden')
    const narrow = await tokenOf(portal, portal.admin.id, { scopes: ['profile:read'] })
    assert.equal((await narrow.get(path)).body.code, 'insufficient_scope')
    const wide = await tokenOf(portal, portal.admin.id, { scopes: ['admin:read', 'audit:read'] })
    assert.equal((await wide.get(path)).status, 200)
  }
})

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
  collector.answers = (_got, reply) => reply.writeHead(200).end()
})

test('a collector that answers 413 with Retry-After gets half as much next', async () => {
  await collector.stop()
  const ids = await Promise.all(Array.from({ length: 8 }, addRole))
  await until('they wait', async () => (await readState()).behind >= ids.length)
  const before = collector.got.length
  collector.answers = ({ lines }, reply) => (lines.length > 3 ? reply.writeHead(413, { 'retry-after': '1' }) : reply.writeHead(200)).end()
  await collector.start()
  for (const id of ids) await collector.next('a line', isRole(id))
  const sizes = collector.got.slice(before).map(({ lines }) => lines.length)
  const refused = sizes.findIndex((size) => size > 3)
  assert.ok(refused >= 0)
  assert.equal(sizes[refused + 1], Math.ceil(sizes[refused]! / 2))
  collector.answers = (_got, reply) => reply.writeHead(200).end()
})

test('administrators are told once when it is an hour behind', async () => {
  collector.answers = (_got, reply) => reply.writeHead(503).end()
  await addRole()
  await until('it waits', async () => (await readState()).behind > 0)
  await portal.sql(`update audit_stream set started_at = now() - interval '2 days'`)
  await portal.sql(
    `update audit_stream_places set at = now() - interval '61 minutes' where place = (select min(place) from audit_stream_places where place > (select place from audit_stream))`,
  )
  await runJob(portal, 'watch_audit_stream')
  await runJob(portal, 'watch_audit_stream')
  const { body } = await portal.admin.get('/notifications?limit=20')
  assert.equal(body.filter(({ titleEn }: { titleEn: string }) => titleEn === 'The audit stream is an hour behind').length, 1)
  assert.equal((await readState()).lagSeconds >= 3600, true)
  collector.answers = (_got, reply) => reply.writeHead(200).end()
  await until('it works again', async () => (await readState()).behind === 0)
})

test('lines wait while the collector fails, and are sent in order after it works again, even after a restart', async () => {
  collector.answers = (_got, reply) => reply.writeHead(503).end()
  const first = await addRole()
  const failing = await until('it fails', async () => {
    const one = await readState()
    return one.state === 'failing' ? one : undefined
  })
  assert.deepEqual([failing.lastError, failing.lastStatus], ['status', 503])
  assert.ok(failing.behind > 0 && failing.failingSince)
  const second = await addRole()
  await portal.stop()
  collector.answers = (_got, reply) => reply.writeHead(200).end()
  await portal.startAgain()
  await collector.next('the second', isRole(second))
  const order = collector.taken.filter((line) => isRole(first)(line) || isRole(second)(line)).map(({ targetId }) => targetId)
  assert.deepEqual(order, [first, second])
})

test('what a portal may have sent by syslog before it was killed comes again with a mark', async (t) => {
  const { key, cert } = makeCertificate('localhost')
  let text = ''
  const server = createServer({ key, cert }, (socket) => {
    socket.setEncoding('utf8').on('error', () => {})
    socket.on('data', (part: string) => {
      text += part
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const tls = { AUDIT_STREAM_URL: `syslog+tls://localhost:${port}`, AUDIT_STREAM_CA: fileOf(cert), AUDIT_STREAM_FRAMING: 'lf' }
  const { portal: own, close } = await openTestPortal(tls)
  t.after(close)
  const marksOf = (id: number) =>
    text.split('\n').flatMap((line) => (line.includes(` target="role/${id}"`) ? [line.includes(' replayed="true"]')] : []))
  const made = (await own.admin.post('/roles', { name: 'sent_again' })).body.id
  await until('all is sent', async () => marksOf(made).length === 1 && (await own.admin.get('/admin/audit-stream')).body.behind === 0)
  await own.stop()
  // As if it had ended before it noted what it sent.
  await own.sql(`update audit_stream set place = (select min(place) - 1 from audit_stream_places), sent_at = null, marks = '[]'`)
  await own.startAgain()
  Object.assign(own.admin, { base: own.base })
  const later = (await own.admin.post('/roles', { name: 'sent_once' })).body.id
  await until('the later line', () => marksOf(later).length)
  assert.deepEqual([marksOf(made), marksOf(later)], [[false, true], [false]])
})
