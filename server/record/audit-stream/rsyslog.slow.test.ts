/** The audit stream into Debian's rsyslog over TLS, while rsyslog and the portal stop and start. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort } from '../../../test/free-port.ts'
import { testPortal, until } from '../../../test/portal.ts'
import { needing } from '../../../test/programs.ts'
import { openRsyslog } from '../../../test/rsyslog.ts'
import { sealLedger } from '../../../test/sealing.ts'
import { verifyCopy } from '../../../test/verify-copy.ts'

const needed = needing('rsyslogd')
const rsyslog = 'skip' in needed ? undefined : await openRsyslog()
const portal = testPortal({ ...rsyslog?.env, ...(rsyslog && { AUDIT_STREAM_MAX_BYTES: '65536' }), PORT: String(await freePort()) })

let roles = 0
/** Makes a change that the audit log lists. Returns the role's id. */
async function addRole() {
  const { body } = await portal.admin.post('/roles', { name: `rsyslogged_${++roles}` })
  return body.id as number
}
const of = (id: number) => rsyslog!.messages().find(({ line }) => line.action === 'role.create' && line.targetId === id)

test('rsyslog takes whole messages over TLS, with their structured data', needed, async () => {
  const id = await addRole()
  const { line, structured, isReplayed } = await until('it arrives', () => of(id))
  assert.equal(structured, `[bawaba@32473 id="${line.id}" actor="admin" target="role/${id}"]`)
  assert.equal(isReplayed, false)
  const descriptionEn = '"quoted" ]bracket\n\\ سطر'
  await portal.admin.patch(`/roles/${id}`, { descriptionEn })
  const update = await until('the update arrives', () => rsyslog!.messages().find(({ line }) => line.action === 'role.update'))
  assert.equal(update.line.facts.changed.descriptionEn.to, descriptionEn)
})

test('every entry arrives in order, though rsyslog and the portal stop often, and repeated entries are marked', needed, async () => {
  const added: number[] = []
  for (let n = 0; n < 20; n++) {
    added.push(await addRole())
    if (n % 2) await until('it arrives', () => of(added.at(-1)!))
    await rsyslog!.stop()
    added.push(await addRole())
    if (n % 4 === 3) {
      await portal.stop()
      await portal.startAgain()
    }
    await rsyslog!.start()
  }
  for (const id of added) await until(`role ${id} arrives`, () => of(id))
  const messages = rsyslog!.messages()
  const first = messages.filter(({ id }, n) => messages.findIndex((one) => one.id === id) === n).map(({ id }) => id)
  assert.deepEqual(
    first,
    [...first].sort((one, other) => one - other),
  )
  const seen = new Set<number>()
  for (const { id, isReplayed } of messages) {
    if (seen.has(id)) assert.equal(isReplayed, true, `entry ${id} came again without saying so`)
    seen.add(id)
  }
  assert.ok(messages.some(({ isReplayed }) => isReplayed))
})

test('the copy that rsyslog wrote verifies the chain, and finds a row that the owner of the database rewrote', needed, async () => {
  const id = await addRole()
  await sealLedger(portal)
  const { line } = await until('it arrives', () => of(id))
  await until('the seal arrives', () => rsyslog!.messages().some(({ line: one }) => one.source === 'seal' && one.lastId >= line.sequence))
  const copy = new Map(rsyslog!.messages().map((message) => [message.id, message.line]))
  assert.equal(verifyCopy([...copy.values()]).wrong, null)
  await portal.sql(`begin; grant update on ledger to current_user; alter table ledger disable trigger user;
    update ledger set facts = '{"name": "another"}' where id = ${line.sequence};
    alter table ledger enable trigger user; revoke update on ledger from current_user; commit`)
  const { entries } = (await portal.admin.get(`/admin/audit-stream/entries?after=${line.id - 1}&limit=1`)).body
  assert.notEqual(entries[0].rowHash, line.rowHash)
  const seal = [...copy.values()].findLast((one) => one.source === 'seal')!
  const { body } = await portal.admin.get(`/admin/audit-logs/verify?from=1&seal=${seal.targetId}.${seal.hash}`)
  assert.equal(body.firstMismatch.id, line.sequence)
})
