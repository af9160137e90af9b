/** The office reverts changes of meetings and tasks from the log of meetings. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silence } from '../../../test/makers.ts'
import { changedDays, DAY, MEETINGS, meetingPortal, TASKS } from '../../../test/meetings.ts'
import { type Client, testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const { newMeeting, newTask, who, executives, whenReady } = meetingPortal(portal)
const LOG = `${MEETINGS}/audit-logs`

const newest = async (kind: string, id: number) => (await portal.admin.get(`${LOG}?entityKind=${kind}&entityId=${id}`)).body.entries[0]
const revert = (by: Client, entryId: number, body: object = {}) => by.post(`${LOG}/${entryId}/revert`, body)
/** A meeting that moved by two hours, and the entry of the move. */
async function moved() {
  const meeting = await newMeeting({ startTime: '09:00', endTime: '10:00' })
  await portal.admin.patch(`${MEETINGS}/${meeting.id}`, { startTime: '11:00', endTime: '12:00' })
  return { meeting, entryId: (await newest('meeting', meeting.id)).id as number }
}

test('an entry about a meeting is reverted as a change of its own, after a dry run that changes nothing', async () => {
  await whenReady()
  const manager = who('executive_office_manager')
  const { meeting, entryId } = await moved()
  const dry = await portal.traces(async () => {
    const { status, body } = await revert(manager, entryId, { dryRun: true })
    assert.deepEqual([status, body.noChange, body.losesCount], [200, false, 0])
  })
  assert.deepEqual(dry, silence)
  const { audit, events } = await portal.traces(async () => {
    const { status, body } = await revert(manager, entryId)
    assert.deepEqual([status, body.id, body.startTime], [200, meeting.id, '09:00'])
  })
  assert.deepEqual(
    audit.map(({ action, target }) => [action, target]),
    [['meeting.update', meeting.id]],
  )
  assert.deepEqual(events, changedDays(executives(), DAY))
  const { revertOf, actor } = await newest('meeting', meeting.id)
  assert.deepEqual([revertOf, actor.id], [{ kind: 'meeting', entryId }, manager.id])
  const again = await revert(manager, entryId)
  assert.deepEqual([again.status, again.body.code], [409, 'nothing_to_revert'])
})

test('an entry about a task is reverted, and overwrites later changes only on request', async () => {
  const task = await newTask({ titleEn: 'Draft' })
  for (const titleEn of ['Final', 'Last']) await portal.admin.patch(`${TASKS}/${task.id}`, { titleEn })
  const { entries } = (await portal.admin.get(`${LOG}?entityKind=task&entityId=${task.id}`)).body
  const since = await revert(portal.admin, entries[1].id)
  assert.deepEqual(
    [since.status, since.body.code, since.body.fields],
    [409, 'changed_since', [{ field: 'titleEn', from: 'Draft', to: 'Final', now: 'Last' }]],
  )
  const { body } = await revert(portal.admin, entries[1].id, { overwrite: since.body.version })
  assert.equal(body.titleEn, 'Draft')
  assert.deepEqual((await newest('task', task.id)).revertOf, { kind: 'task', entryId: entries[1].id })
})

for (const [name, status] of [
  ['admin', 200],
  ['executive_office_manager', 200],
  ['executive_ceo', 403],
  ['executive_coord_lead', 403],
  ['executive_coordinator', 403],
  ['executive_viewer', 403],
  ['at_large', 403],
  ['passer-by', 403],
] as const)
  test(`${name} gets ${status} for a revert`, async () => {
    await whenReady()
    const { entryId } = await moved()
    const task = await newTask({ titleEn: 'Draft', assigneeId: name === 'executive_ceo' ? who(name).id : null })
    await portal.admin.patch(`${TASKS}/${task.id}`, { status: 'done' })
    for (const one of [entryId, (await newest('task', task.id)).id])
      for (const body of [{ dryRun: true }, {}]) assert.equal((await revert(who(name), one, body)).status, status)
  })

test('only entries of the meetings’ log are found, and creations and font settings in it cannot be reverted', async () => {
  const refused = async (entryId: number) => {
    const { status, body } = await revert(portal.admin, entryId)
    return [status, body.code]
  }
  const meeting = await newMeeting()
  assert.deepEqual(await refused((await newest('meeting', meeting.id)).id), [409, 'nothing_to_revert'])
  await portal.admin.put(`${MEETINGS}/font-settings`, { fontSize: 20 })
  const { entries } = (await portal.admin.get(`${LOG}?entityKind=font_settings`)).body
  assert.deepEqual(await refused(entries[0].id), [409, 'nothing_to_revert'])
  await portal.admin.patch('/settings', { siteNameEn: 'Another' })
  const other = (await portal.admin.get('/admin/audit-logs?targetType=settings&limit=1')).body.entries[0]
  assert.deepEqual(await refused(other.id), [404, 'not_found'])
  assert.deepEqual(await refused(2147483647), [404, 'not_found'])
  const { entryId, meeting: gone } = await moved()
  await portal.admin.delete(`${MEETINGS}/${gone.id}`)
  assert.deepEqual(await refused(entryId), [404, 'not_found'])
})

test('a task is not restored to a person without executive access, nor to a deleted meeting', async () => {
  await whenReady()
  const former = who('executive_viewer')
  const meeting = await newMeeting()
  const task = await newTask({ assigneeId: former.id, meetingId: meeting.id })
  await portal.admin.patch(`${TASKS}/${task.id}`, { assigneeId: null })
  const unassigned = (await newest('task', task.id)).id
  await portal.admin.patch(`${TASKS}/${task.id}`, { meetingId: null })
  const detached = (await newest('task', task.id)).id
  await portal.admin.delete(`/users/${former.id}/roles/executive_viewer`)
  await portal.admin.delete(`${MEETINGS}/${meeting.id}`)
  for (const [entryId, code] of [
    [unassigned, 'not_executive'],
    [detached, 'unknown_ids'],
  ]) {
    for (const asked of [{ dryRun: true }, {}]) {
      const { status, body } = await revert(portal.admin, entryId, asked)
      assert.deepEqual([status, body.code], [400, code])
    }
  }
})

for (const [what, first, then, path] of [
  ['a start after the end of today', { startTime: '07:00' }, { endTime: '08:00' }, 'endTime'],
  ['no title', { titleAr: 'الميزانية' }, { titleEn: '' }, 'titleAr'],
] as const)
  test(`a revert that would leave a meeting with ${what} is refused, in a dry run as well`, async () => {
    const meeting = await newMeeting({ startTime: '09:00', endTime: '12:00', titleAr: null })
    await portal.admin.patch(`${MEETINGS}/${meeting.id}`, first)
    const entryId = (await newest('meeting', meeting.id)).id
    await portal.admin.patch(`${MEETINGS}/${meeting.id}`, then)
    for (const asked of [{ dryRun: true }, {}]) {
      const { status, body } = await revert(portal.admin, entryId, asked)
      assert.deepEqual([status, body.code, body.details[0].path], [400, 'validation_failed', path])
    }
  })

test('of two dry runs and one revert at once, only the revert changes the record', async () => {
  const { meeting, entryId } = await moved()
  const asked = [{ dryRun: true }, {}, { dryRun: true }]
  const answers = await Promise.all(asked.map((body) => revert(portal.admin, entryId, body)))
  for (const { status, body } of answers) assert.ok(status === 200 || body.code === 'nothing_to_revert')
  assert.equal(answers[1]!.status, 200)
  const { entries } = (await portal.admin.get(`${LOG}?entityKind=meeting&entityId=${meeting.id}`)).body
  assert.equal(entries.filter(({ revertOf }: { revertOf: unknown }) => revertOf).length, 1)
})
