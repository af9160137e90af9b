/** The audit stream into collectors by HTTPS that fail in every way, from several instances, under load, and after a restore. */
import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { createServer as createTlsServer } from 'node:tls'
import { makeCertificate } from '../../../test/certificate.ts'
import { fileCollector, fileOf, type Line, openCollector } from '../../../test/collector.ts'
import { freePort } from '../../../test/free-port.ts'
import { runJob } from '../../../test/jobs.ts'
import { openTestPortal, testPortal, until } from '../../../test/portal.ts'

const collector = await fileCollector()
const portal = testPortal({ ...collector.env, PORT: String(await freePort()) })
const fine: typeof collector.answers = (_got, reply) => reply.writeHead(200).end()

let roles = 0
async function addRole() {
  const { body } = await portal.admin.post('/roles', { name: `collected_${++roles}` })
  return body.id as number
}
const isRole = (id: number) => (line: Line) => line.action === 'role.create' && line.targetId === id
const firstsOf = (lines: Line[]) => lines.filter(({ id }, n) => lines.findIndex((one) => one.id === id) === n)
const isAscending = (lines: Line[]) => lines.every(({ id }, n) => n === 0 || id > lines[n - 1]!.id)
const allSent = () => until('all is sent', async () => (await portal.admin.get('/admin/audit-stream')).body.behind === 0)

test('all entries of concurrent commits go out in order, and only one of two instances sends', async () => {
  const other = await portal.another({ PORT: '0' })
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let n = 0; n < 40; n++)
      await portal.sql(
        `begin; insert into ledger (kind, target_type, target_id, action, facts) values ('test', 'test', ${writer * 1000 + n + 1}, 'test.written', '{}');
         select pg_sleep(${(n % 5) / 100}); commit`,
      )
  })
  await Promise.all(writers)
  await addRole()
  await until(
    'all are there',
    () => new Set(collector.taken.filter(({ action }) => action === 'test.written').map(({ targetId }) => targetId)).size === 320,
  )
  assert.ok(isAscending(firstsOf(collector.taken)))
  const places = await portal.sql<{ ordered: boolean }>(
    `select bool_and(id > before) as ordered from (select id, lag(id, 1, 0::bigint) over (order by place) as before from audit_stream_places where source = 'ledger') as all_of_them`,
  )
  assert.equal(places[0]!.ordered, true)
  assert.equal(collector.taken.length, firstsOf(collector.taken).length, 'nobody sent what the other had sent')
  await other.close()
})

test('each entry arrives at least once and in order, though the collector and the portal stop again and again', async () => {
  const added: number[] = []
  for (let n = 0; n < 20; n++) {
    added.push(await addRole())
    await collector.stop()
    added.push(await addRole())
    if (n % 2) {
      await portal.stop()
      await portal.startAgain()
    }
    await collector.start()
  }
  for (const id of added) await collector.next(`role ${id}`, isRole(id))
  assert.ok(isAscending(firstsOf(collector.taken)))
})

test('a redirect is not followed, and no entry is lost by an answer of 401', async () => {
  const other = await openCollector()
  await allSent()
  collector.answers = (_got, reply) => reply.writeHead(307, { location: other.env['AUDIT_STREAM_URL'] }).end()
  const id = await addRole()
  await until('it fails', async () => (await portal.admin.get('/admin/audit-stream')).body.lastStatus === 307)
  collector.answers = (_got, reply) => reply.writeHead(401).end()
  await until('it is refused', async () => (await portal.admin.get('/admin/audit-stream')).body.lastStatus === 401)
  await portal.sql(`update audit_stream set failing_since = now() - interval '3 days'`)
  collector.answers = fine
  const line = await collector.next('the line', isRole(id))
  assert.equal(line.refused, undefined)
  assert.deepEqual(other.got, [])
  await other.stop()
})

test('413 halves the portion until the collector takes it', async () => {
  await allSent()
  await collector.stop()
  const ids: number[] = []
  for (let n = 0; n < 20; n++) ids.push(await addRole())
  collector.answers = ({ lines }, reply) => reply.writeHead(lines.length > 3 ? 413 : 200).end()
  await collector.start()
  await collector.next('the last', isRole(ids.at(-1)!))
  const found = collector.taken
    .filter((line) => ids.includes(line.targetId) && line.action === 'role.create')
    .map(({ targetId }) => targetId)
  assert.deepEqual(found, ids)
  collector.answers = fine
})

test('a line of more than a mebibyte leaves out its largest fact, and no portion is longer than a mebibyte', async () => {
  const id = await addRole()
  await portal.sql(
    `insert into ledger (kind, target_type, target_id, action, facts)
     values ('test', 'test', 1, 'test.huge', jsonb_build_object('name', 'kept', 'text', repeat('س', 700000)))`,
  )
  for (let n = 0; n < 6; n++)
    await portal.sql(
      `insert into ledger (kind, target_type, target_id, action, facts) values ('test', 'test', ${n}, 'test.long', jsonb_build_object('text', repeat('x', 300000)))`,
    )
  await addRole()
  const huge = await collector.next('the huge line', ({ action }) => action === 'test.huge')
  assert.deepEqual([huge.facts, huge.cut], [{ name: 'kept' }, ['text']])
  await until('all long ones come', () => collector.taken.filter(({ action }) => action === 'test.long').length === 6)
  for (const { text } of collector.got) assert.ok(Buffer.byteLength(text) <= 1024 ** 2)
  assert.ok(collector.taken.some(isRole(id)))
})

test('one line with their number and their time replaces security events that were not sent within 30 days', async () => {
  await allSent()
  await collector.stop()
  const guess = () => portal.stranger().post('/auth/login', { username: 'collected-nobody', password: 'a wrong guess' })
  for (let n = 0; n < 3; n++) {
    await guess()
    await addRole()
  }
  await until('they have places', async () => {
    const [found] = await portal.sql<{ count: number }>(
      `select count(*)::int as count from audit_stream_places where source = 'security' and place > (select place from audit_stream)`,
    )
    return found!.count >= 3
  })
  await portal.sql(`update security_events set at = now() - interval '31 days'`)
  const [waiting] = await portal.sql<{ count: number }>(
    `select count(*)::int as count from audit_stream_places where source = 'security' and place > (select place from audit_stream)`,
  )
  await runJob(portal, 'clean_up')
  const id = await addRole()
  await collector.start()
  await collector.next('a later line', isRole(id))
  const missing = collector.taken.filter(({ event }) => event === 'audit_stream.missing')
  assert.deepEqual(
    missing.map(({ source, facts }) => [source, facts.source, facts.count]),
    [['security', 'security', waiting!.count]],
  )
  const { from, to, firstId, lastId } = missing[0]!.facts
  assert.ok(from <= to && firstId < lastId && missing[0]!.id === lastId)
  assert.ok(isAscending(firstsOf(collector.taken)))
})

test('after a restore of the database no id is used twice, and a line says that it was restored', async () => {
  await allSent()
  const [before] = await portal.sql<{ place: number }>('select last_place::int as place from audit_stream_horizon')
  await portal.sql(`update audit_stream_horizon set run = 'another'`)
  const id = await addRole()
  const line = await collector.next('the line', isRole(id))
  const note = await collector.next('the note', ({ event }) => event === 'audit_stream.database_restored')
  assert.deepEqual(note.facts, { lastId: before!.place })
  assert.ok(note.id > 1_700_000_000_000 && line.id > note.id)
})

/** Starts a portal with this stream, and returns why its stream fails. */
async function failureOf(env: Record<string, string>) {
  const { portal: own, close } = await openTestPortal(env)
  try {
    return await until('it fails', async () => (await own.admin.get('/admin/audit-stream')).body.lastError as string | null)
  } finally {
    await close()
  }
}

test('a certificate that is expired, of another host or of no known authority is refused', async () => {
  const { AUDIT_STREAM_URL: url, AUDIT_STREAM_CA: ca } = collector.env
  assert.equal(await failureOf({ AUDIT_STREAM_URL: url! }), 'tls')
  assert.equal(await failureOf({ AUDIT_STREAM_URL: url!, AUDIT_STREAM_CA: fileOf(makeCertificate('localhost').cert) }), 'tls')
  assert.equal(await failureOf({ AUDIT_STREAM_URL: url!.replace('localhost', '127.0.0.1'), AUDIT_STREAM_CA: ca! }), 'tls')
  assert.equal(await failureOf({ AUDIT_STREAM_URL: url!.replace('https:', 'syslog+tls:').replace('/in', '') }), 'tls')
})

test('a collector that accepts connections and never answers is a failure, and does not prevent the portal from stopping', async () => {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => void sockets.add(socket.on('error', () => {})))
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  for (const url of [`https://localhost:${port}/`, `syslog+tls://localhost:${port}`])
    assert.equal(await failureOf({ AUDIT_STREAM_URL: url }), 'timeout')
  for (const socket of sockets) socket.destroy()
  server.close()
})

test('a collector that requires a client certificate takes lines from a portal with one, and refuses a portal without one', async () => {
  const [theirs, ours] = [makeCertificate('localhost'), makeCertificate('portal')]
  let text = ''
  const server = createTlsServer(
    { key: theirs.key, cert: theirs.cert, ca: ours.cert, requestCert: true, rejectUnauthorized: true },
    (socket) => {
      socket.setEncoding('utf8').on('error', () => {})
      socket.on('data', (part: string) => {
        text += part
      })
    },
  )
  const port = await freePort()
  // Unreferenced, because a failed test does not close the server.
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve).unref())
  const env = { AUDIT_STREAM_URL: `syslog+tls://localhost:${port}`, AUDIT_STREAM_CA: fileOf(theirs.cert), AUDIT_STREAM_FRAMING: 'lf' }
  assert.equal(await failureOf(env), 'tls')
  assert.equal(text, '')
  const certified = { AUDIT_STREAM_CERT: fileOf(ours.cert), AUDIT_STREAM_KEY: fileOf(ours.key) }
  const { portal: own, close } = await openTestPortal({ ...env, ...certified })
  const { body } = await own.admin.post('/roles', { name: 'certified' })
  await until('the line', () => text.includes('"role.create"') && text.endsWith('\n'))
  const messages = text.split('\n').slice(0, -1)
  assert.ok(messages.every((message) => /^<\d+>1 \S+ \S+ /.test(message)))
  assert.ok(messages.some((message) => message.includes(`"targetId":${body.id}`)))
  await close()
  server.close()
})
