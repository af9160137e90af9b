/** Reverting changes of services, their categories, handlings, teams and calendars. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers } from '../../../test/makers.ts'
import { type Answer, testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const make = makers(portal)

const revert = (kind: string, entryId: number, body: object = {}) => portal.admin.post(`/admin/history/${kind}/${entryId}/revert`, body)
const read = async (path: string) => (await portal.admin.get(path)).body
/** The id of the newest entry of the audit log about a record. */
const logged = async (targetType: string, targetId: number) =>
  (await read(`/admin/audit-logs?targetType=${targetType}&targetId=${targetId}&limit=1`)).entries[0].id as number
const fine = ({ status, body, text }: Answer) => {
  assert.equal(status, 200, text)
  return body
}

test('services and their categories are reverted', async () => {
  const [category, service] = [await make.newCategory(), await make.newService()]
  for (const [path, type, { id, nameEn }] of [
    ['/service-categories', 'service_category', category],
    ['/services', 'service', service],
  ] as const) {
    await portal.admin.patch(`${path}/${id}`, { nameEn: 'Renamed' })
    const entryId = await logged(type, id)
    assert.equal(fine(await revert('audit', entryId, { dryRun: true })).noChange, false)
    assert.equal(fine(await revert('audit', entryId)).nameEn, nameEn)
  }
})

test('changes of handlings, teams and calendars are reverted, without groups that were deleted since', async () => {
  const [team, other, service, calendar] = [await make.newTeam(), await make.newTeam(), await make.newService(), await make.newCalendar()]
  const [lost, kept] = [await make.newGroup(), await make.newGroup()]
  const handling = `/services/${service.id}/handling`
  const set = { teamId: team.id, audience: 'groups', audienceGroupIds: [lost.id, kept.id], completeMinutes: 60 }
  await portal.admin.put(handling, set)
  await portal.admin.put(handling, { teamId: other.id })
  await portal.admin.delete(`/groups/${lost.id}?force=true`)
  const changed = await logged('service', service.id)
  assert.equal((await revert('service_team', changed)).status, 404)
  const back = fine(await revert('service_handling', changed))
  assert.deepEqual([back.teamId, back.audience, back.audienceGroupIds, back.completeMinutes], [team.id, 'groups', [kept.id], 60])
  const person = await make.newPerson()
  await portal.admin.patch(`/service-teams/${team.id}`, { leadUserIds: [person.id], nameEn: 'Renamed' })
  await portal.admin.patch(`/service-teams/${team.id}`, { leadUserIds: [] })
  assert.deepEqual(fine(await revert('service_team', await logged('service_team', team.id))).leadUserIds, [person.id])
  const { weekly } = await read(`/working-calendars/${calendar.id}`)
  await portal.admin.patch(`/working-calendars/${calendar.id}`, { weekly: weekly.toSpliced(0, 1, []), daysOff: [{ date: '2030-01-01' }] })
  const times = fine(await revert('working_calendar', await logged('working_calendar', calendar.id)))
  assert.deepEqual([times.weekly, times.daysOff], [weekly, []])
})

test('a handling is restored without deleted groups and people, both in its steps and among those who order for others', async () => {
  const [service, lost, kept, gone, stays] = [
    await make.newService(),
    await make.newGroup(),
    await make.newGroup(),
    await make.newPerson(),
    await make.newPerson(),
  ]
  const stepOf = (fields: object) => [{ key: 'first', nameAr: 'الأولى', nameEn: 'First', ...fields }]
  const both = { groupIds: [lost.id, kept.id], userIds: [gone.id, stays.id] }
  const handling = `/services/${service.id}/handling`
  const put = async (body: object) => {
    fine(await portal.admin.put(handling, body))
    return logged('service', service.id)
  }
  const first = { onBehalf: 'groups', onBehalfGroupIds: [lost.id, kept.id], steps: stepOf(both), reopenDays: 1 }
  await put(first)
  const emptied = await put({ reopenDays: 2 })
  const filled = await put({ ...first, reopenDays: 3 })
  assert.equal((await portal.admin.delete(`/groups/${lost.id}?force=true`)).status, 204)
  assert.equal((await portal.admin.delete(`/users/${gone.id}?force=true`)).status, 204)
  const named = ({ onBehalfGroupIds, steps, reopenDays }: { onBehalfGroupIds: number[]; steps: (typeof both)[]; reopenDays: number }) => [
    onBehalfGroupIds,
    steps.map(({ groupIds, userIds }) => [groupIds, userIds]),
    reopenDays,
  ]
  // The newer values contain the deleted groups and people as well, so their absence is not a later change.
  assert.deepEqual(named(fine(await revert('service_handling', filled))), [[], [], 2])
  assert.deepEqual(named(fine(await revert('service_handling', emptied))), [[kept.id], [[[kept.id], [stays.id]]], 1])
})
