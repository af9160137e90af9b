/** Entries of every action are reverted, or refused with a code. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { makers, tracing } from '../../../test/makers.ts'
import { meetingPortal } from '../../../test/meetings.ts'
import { testPortal } from '../../../test/portal.ts'
import { newSource } from '../../../test/scim.ts'
import { addProgram } from '../../../test/service-accounts.ts'
import { changeKinds } from '../../lists/changes.ts'
import { endpoints } from '../../lists/features.ts'
import type { AnyKind } from '../../platform/changes/change-kind.ts'
import { operations } from './rules.ts'

const portal = testPortal()
const make = makers(portal)
const { silent } = tracing(portal)
const { newMeeting, newTask, whenReady } = meetingPortal(portal)

const revert = (entryId: number, body: object = {}) => portal.admin.post(`/admin/history/audit/${entryId}/revert`, body)
/** The newest entry of the log about a record. */
async function newest(targetType: string, targetId: number | string) {
  const { body } = await portal.admin.get(`/admin/audit-logs?targetType=${targetType}&targetId=${targetId}&limit=1`)
  return body.entries[0] as { id: number; action: string; metadata: Record<string, unknown> }
}
async function assertRefused(entryId: number, expected: [status: number, code: string], what = '') {
  for (const asked of [{ dryRun: true }, {}]) {
    const { status, body } = await silent(() => revert(entryId, asked))
    assert.deepEqual([status, body.code], expected, what)
  }
}
const entryOf = async (kind: string, action: string, targetType: string, targetId: number, facts: object) =>
  (
    await portal.sql<{ id: number }>(
      'insert into ledger (kind, action, target_type, target_id, facts) values ($1, $2, $3, $4, $5) returning id',
      [kind, action, targetType, targetId, JSON.stringify(facts)],
    )
  )[0]!.id

type Audited = AnyKind & { facts: TSchema }
/** Facts with nothing to revert: their only changed field is one that no command takes. */
function factsOf({ facts }: Audited) {
  const made = { ...(Value.Create(facts) as Record<string, unknown>) }
  if ('changed' in made) made['changed'] = { unheardOf: { from: 'was', to: null } }
  if ('part' in made) made['part'] = 'users'
  if ('asked' in made) made['asked'] = 'approved'
  return { ...made, before: made['before'] ?? {}, after: made['after'] ?? {} }
}

test('an entry of any kind whose fields no command takes has nothing to revert', async () => {
  await whenReady()
  const targets: Record<string, number> = {
    user: (await make.newPerson()).id,
    group: (await make.newGroup()).id,
    role: (await make.newRole()).id,
    permission: (await make.newPermission()).id,
    app: (await make.newApp()).id,
    service: (await make.newService()).id,
    service_category: (await make.newCategory()).id,
    service_team: (await make.newTeam()).id,
    working_calendar: (await make.newCalendar()).id,
    meeting: (await newMeeting()).id,
    meeting_task: (await newTask()).id,
  }
  const tried = new Set<string>()
  for (const [name, kind] of Object.entries<Audited>(changeKinds)) {
    if (kind.audits === 'nothing') continue
    const targetId = targets[kind.targetType] ?? 1
    const facts = factsOf(kind)
    for (const { action, metadata = facts } of [kind.audits({ targetId, facts, author: null })].flat()) {
      tried.add(action)
      await assertRefused(await entryOf(name, action, kind.targetType, targetId, metadata), [409, 'nothing_to_revert'], action)
    }
  }
  assert.ok(tried.size > 120)
})

test('a source’s changes of members are reverted only once the source has released the group', async () => {
  const source = await newSource(portal)
  const [one, other] = [await source.person('moved.one@example.org'), await source.person('moved.other@example.org')]
  const role = await make.newRole()
  const { id } = await source.group('Moved', [one.id])
  assert.equal((await portal.admin.post(`/groups/${id}/roles`, { roleId: role.id })).status, 201)
  const added = await source.patch(`/Groups/${id}`, { op: 'add', path: 'members', value: [{ value: other.id }] })
  assert.equal(added.status, 204)
  const { id: entryId, metadata } = await newest('group', id)
  assert.deepEqual(metadata, { added: [Number(other.id)], removed: [] })
  await assertRefused(entryId, [409, 'managed_elsewhere'])

  assert.equal((await source.call('DELETE', `/Groups/${id}`)).status, 204)
  const left = await newest('group', id)
  assert.deepEqual(left.metadata, { added: [], removed: [Number(one.id), Number(other.id)] })
  assert.equal((await revert(left.id, { dryRun: true })).body.gainsCount, 2)
  const { status, body } = await revert(left.id)
  assert.deepEqual([status, body.userIds], [200, [Number(one.id), Number(other.id)]])
  assert.deepEqual((await revert(entryId)).body.userIds, [Number(one.id)])
})

test('a revert leaves out the fields that only a source writes, and puts the rest of the entry back', async () => {
  const source = await newSource(portal)
  const group = await source.group('Named', [], { externalId: 'first' })
  assert.equal((await source.patch(`/Groups/${group.id}`, { op: 'replace', path: 'externalId', value: 'second' })).status, 204)
  const renamed = await newest('group', group.id)
  assert.deepEqual(renamed.metadata, { changed: { externalId: { from: 'first', to: 'second' } } })
  await assertRefused(renamed.id, [409, 'nothing_to_revert'])

  const { id } = await source.person('kept@example.org', { title: 'Clerk' })
  assert.equal((await source.patch(`/Users/${id}`, { op: 'replace', path: 'title', value: 'Judge' })).status, 200)
  const titled = await newest('user', id)
  assert.deepEqual(Object.keys(titled.metadata['changed'] as object), ['attributes'])
  await assertRefused(titled.id, [409, 'nothing_to_revert'])

  assert.equal((await source.call('DELETE', `/Users/${id}`)).status, 204)
  const removed = await newest('user', id)
  assert.deepEqual(Object.keys(removed.metadata['changed'] as object).toSorted(), ['isActive', 'source'])
  assert.equal((await revert(removed.id, { dryRun: true })).status, 200)
  const { status, body } = await revert(removed.id)
  assert.deepEqual([status, body.isActive], [200, true])
  await assertRefused(removed.id, [409, 'nothing_to_revert'])
})

test('a service account leaves a group again when its entry is reverted', async () => {
  const { id } = await make.newGroup()
  const program = await addProgram(portal, 'joiner')
  assert.equal((await portal.admin.post(`/groups/${id}/users`, { userId: program.id })).status, 201)
  const entry = await newest('group', id)
  assert.equal((await revert(entry.id, { dryRun: true })).status, 200)
  const { histories } = await portal.traces(async () => assert.equal((await revert(entry.id)).status, 200))
  assert.deepEqual(histories[0], { kind: 'group.users', target: id, added: [], removed: [program.id] })
  await assertRefused(entry.id, [409, 'nothing_to_revert'])
})

test('a service account cannot be put back into a group that by now makes its members administrators', async () => {
  const { id } = await make.newGroup()
  const program = await addProgram(portal, 'leaver', { groupIds: [id] })
  assert.equal((await portal.admin.delete(`/groups/${id}/users/${program.id}`)).status, 204)
  const entry = await newest('group', id)
  assert.equal((await portal.admin.post(`/groups/${id}/roles`, { roleId: (await make.roleNamed('admin')).id })).status, 201)
  await assertRefused(entry.id, [400, 'grants_admin'])
})

test('the API document lists for a revert each refusal of the commands that it runs, except `quota_exceeded` and `too_many_items`', () => {
  const codesOf = (operationId: string) => {
    const { refuses = [] } = endpoints.find((endpoint) => endpoint.operationId === operationId)!
    return refuses.map((refusal) => (typeof refusal === 'string' ? refusal : refusal.code))
  }
  const own = new Set<string>([...codesOf('revertChange'), 'forbidden', 'quota_exceeded', 'too_many_items'])
  const missing = Object.keys(operations).flatMap((operationId) => codesOf(operationId).filter((code) => !own.has(code)))
  assert.deepEqual(missing, [])
})
