/** Messages that may reach a syslog collector twice are marked as replayed. */
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { createServer } from 'node:tls'
import { makeCertificate } from '../../../test/certificate.ts'
import { fileOf } from '../../../test/collector.ts'
import { openTestPortal, type TestPortal, until } from '../../../test/portal.ts'

const { key, cert } = makeCertificate('localhost')

/** A portal with a collector by syslog. `marksOf` says of each message about a role whether it was marked. */
async function openBoth(t: TestContext) {
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
  const { portal, close } = await openTestPortal(tls)
  t.after(close)
  const marksOf = (id: number) =>
    text.split('\n').flatMap((line) => (line.includes(` target="role/${id}"`) ? [line.includes(' replayed="true"]')] : []))
  return { portal, marksOf, textOf: () => text }
}
const addRole = async (portal: TestPortal, name: string) => (await portal.admin.post('/roles', { name })).body.id as number
const allSent = (portal: TestPortal) => until('all is sent', async () => (await portal.admin.get('/admin/audit-stream')).body.behind === 0)

test('messages that the portal may have sent by syslog before it was killed are sent again with a mark', async (t) => {
  const { portal, marksOf } = await openBoth(t)
  const made = await addRole(portal, 'sent_again')
  await until('it arrives', () => marksOf(made).length === 1)
  await allSent(portal)
  await portal.stop()
  // As if the portal had ended before it noted what it had sent.
  await portal.sql(`update audit_stream set place = (select min(place) - 1 from audit_stream_places), sent_at = null, marks = '[]'`)
  await portal.startAgain()
  Object.assign(portal.admin, { base: portal.base })
  const later = await addRole(portal, 'sent_once')
  await until('the later line', () => marksOf(later).length)
  assert.deepEqual([marksOf(made), marksOf(later)], [[false, true], [false]])
})

test('messages that were sent by syslog but not noted are sent again with a mark, on the same connection', async (t) => {
  const { portal, marksOf } = await openBoth(t)
  await allSent(portal)
  await portal.sql(`create function refuse_move() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$`)
  await portal.sql('create trigger refuse_move before update of place on audit_stream for each row execute function refuse_move()')
  const made = await addRole(portal, 'sent_twice')
  await until('it comes again', () => marksOf(made).length > 1)
  await portal.sql('drop trigger refuse_move on audit_stream')
  const later = await addRole(portal, 'sent_later')
  await until('the later line', () => marksOf(later).length)
  const [first, ...others] = marksOf(made)
  assert.deepEqual([first, others.every((isMarked) => isMarked)], [false, true])
  assert.equal(marksOf(later)[0], false)
})

test('a refused call is a message of severity 4', async (t) => {
  const { portal, textOf } = await openBoth(t)
  const person = await portal.person('refused')
  await person.get('/users/1')
  const [, priority] = await until('its message', () => /^<(\d+)>1 \S+ \S+ bawaba - forbidden /m.exec(textOf()) ?? undefined)
  assert.equal(priority, '108')
})
