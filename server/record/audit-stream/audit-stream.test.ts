import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileCollector, type Line } from '../../../test/collector.ts'
import { testPortal, until } from '../../../test/portal.ts'
import { sealLedger } from '../../../test/sealing.ts'
import { tokenOf } from '../../../test/tokens.ts'
import { verifyCopy } from '../../../test/verify-copy.ts'
import { withClient } from '../../platform/database/client.ts'
import { beginAnew } from '../../platform/events/event-log.ts'

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

test('a refused call is stored as a warning, and a change is not', async () => {
  const iman = await portal.person('streamed-iman')
  const token = await tokenOf(portal, portal.admin.id, { scopes: ['profile:read'] })
  assert.equal((await token.get('/users')).body.code, 'insufficient_scope')
  await iman.post('/auth/logout')
  const found = await until('both are stored', async () => {
    const rows = await portal.sql<{ event: string; isWarning: boolean }>(
      `select distinct event, is_warning as "isWarning" from security_events where event in ('insufficient_scope', 'session.ended') order by event`,
    )
    return rows.length === 2 ? rows : undefined
  })
  assert.deepEqual(found, [
    { event: 'insufficient_scope', isWarning: true },
    { event: 'session.ended', isWarning: false },
  ])
})

test('entries of the audit log are sent even while security events cannot be stored, and these events follow later', async () => {
  const rashid = await portal.person('streamed-rashid')
  await portal.sql('alter function keep_security_events(json) rename to keep_nothing')
  try {
    await rashid.get('/users/1')
    const id = await addRole()
    await collector.next('the entry', isRole(id))
  } finally {
    await portal.sql('alter function keep_nothing(json) rename to keep_security_events')
  }
  await collector.next('the event', ({ event, actor }) => event === 'forbidden' && actor?.id === rashid.id)
})

test('seals come after all rows that they cover, and the copy alone suffices to verify their chain', async () => {
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

test('pulled lines are cut like sent lines, and an answer ends at a mebibyte', async () => {
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

test('administrators see how far the stream has come; other people, and tokens without the scope, do not', async () => {
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

test('after the operator has declared the database restored, ids skip ahead, and a line of the stream says so', async () => {
  const { place } = await until('all is sent', async () => {
    const state = await readState()
    return state.behind === 0 ? state : undefined
  })
  await withClient(portal.connection, beginAnew)
  const id = await addRole()
  const note = await collector.next('the note', ({ event }) => event === 'audit_stream.database_restored')
  const line = await collector.next('the line', isRole(id))
  assert.ok(note.facts.lastId >= place)
  assert.ok(note.id > 1_700_000_000_000 && line.id > note.id)
})
