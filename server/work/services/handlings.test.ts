/** The handlings and notices of services: the right to order, and the information before an order. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silence } from '../../../test/makers.ts'
import type { Client } from '../../../test/portal.ts'
import { seededPortal } from '../../../test/seed.ts'

const { portal, org, make } = seededPortal()
const events = [{ event: 'services_changed', data: {}, to: null }]

/** Undoes the last deletion of this kind. */
async function undoLast(action: string) {
  const [entry] = (await org.admin.get(`/admin/audit-logs?action=${action}&limit=1`)).body.entries
  const { status, text } = await org.admin.post(`/admin/undo/${entry.id}`)
  assert.equal(status, 200, text)
}

/** Whether a person finds the service, for each place that may show it. */
async function knows(who: Client, id: number) {
  const inList = (list: { id?: number; serviceId?: number }[]) => list.some((one) => (one.id ?? one.serviceId) === id)
  return [
    inList((await who.get('/services')).body),
    inList((await who.get('/service-catalogue')).body),
    (await who.get(`/services/${id}`)).status === 200,
    (await who.get(`/service-catalogue/${id}`)).status === 200,
    (await who.get(`/orders/my`)).status === 200 && (await who.post('/orders', { serviceId: id })).status === 201,
  ]
}
const servicesOf = async (who: Client) => (await who.get('/stats/home')).body.totalServices as number

test('a service for a group is known only to the group, its team and administrators, and only the group may order it', async () => {
  const [audience, helpers] = [await make.newGroup({ userIds: [org.huda.id] }), await make.newGroup({ userIds: [org.salem.id] })]
  const team = await make.newTeam({ groupIds: [helpers.id], leadUserIds: [org.noura.id] })
  const { id } = await make.newService()
  const before = await servicesOf(org.omar)
  const set = { audience: 'groups', audienceGroupIds: [audience.id], teamId: team.id }
  const traces = await portal.traces(() => org.admin.put(`/services/${id}/handling`, set))
  assert.deepEqual([traces.audit.map(({ action }) => action), traces.events], [['service.handling.update'], events])
  assert.deepEqual(await knows(org.huda, id), [true, true, true, true, true])
  assert.deepEqual(await knows(org.omar, id), [false, false, false, false, false])
  for (const who of [org.salem, org.noura, org.admin]) assert.deepEqual(await knows(who, id), [true, true, true, true, false])
  assert.deepEqual([await servicesOf(org.omar), await servicesOf(org.huda), await servicesOf(org.noura)], [before - 1, before, before])
  const [unknown, missing] = [await org.omar.post('/orders', { serviceId: id }), await org.omar.post('/orders', { serviceId: 999_999 })]
  assert.equal(unknown.text, missing.text)
  const { body } = await org.huda.get('/services?limit=1')
  assert.equal(body.length, 1)
  const total = async (who: Client) => Number((await who.get('/services?limit=1')).headers.get('x-total-count'))
  assert.equal((await total(org.huda)) - (await total(org.omar)), 1)
})

test('if the last group of an audience is deleted, nobody may order the service, administrators are notified, and an undo restores the audience', async () => {
  const audience = await make.newGroup()
  const { id } = await make.newService({ nameEn: 'Payslips' })
  await org.admin.put(`/services/${id}/handling`, { audience: 'groups', audienceGroupIds: [audience.id] })
  const { notices } = await portal.traces(() => org.admin.delete(`/groups/${audience.id}`))
  assert.deepEqual(
    notices.map(({ user, titleEn }) => [user, titleEn]),
    [[org.admin.id, 'Nobody can order a service']],
  )
  assert.equal((await org.huda.post('/orders', { serviceId: id })).body.code, 'service_unavailable')
  const { body: handling } = await org.admin.get(`/services/${id}/handling`)
  assert.deepEqual([handling.audience, handling.audienceGroupIds], ['groups', []])
  // Saving the handling as it was read is allowed.
  assert.equal((await org.admin.put(`/services/${id}/handling`, { audience: 'groups', audienceGroupIds: [] })).status, 200)
  await undoLast('group.delete')
  assert.deepEqual((await org.admin.get(`/services/${id}/handling`)).body.audienceGroupIds, [audience.id])
})

test('the dependents of a group are the teams and services that name it, each with whether it names no other group or person', async () => {
  const [group, other] = [await make.newGroup(), await make.newGroup()]
  const named = (nameEn: string) => make.newService({ nameAr: nameEn, nameEn })
  const team = await make.newTeam({ groupIds: [group.id, other.id] })
  const [badge, car, desk] = [await named('Badge'), await named('Car'), await named('Desk')]
  const [elsewhere, gift, goes] = [await named('Else'), await named('Gift'), await make.newPerson()]
  const stepOf = (fields: object) => ({ nameAr: 'الأولى', nameEn: 'First', ...fields })
  const handlings: [{ id: number }, object][] = [
    [badge, { audience: 'groups', audienceGroupIds: [group.id], onBehalf: 'groups', onBehalfGroupIds: [group.id, other.id] }],
    [car, { steps: [stepOf({ key: 'one', groupIds: [group.id, other.id] }), stepOf({ key: 'two', groupIds: [group.id] })] }],
    [desk, { steps: [stepOf({ key: 'one', groupIds: [group.id], userIds: [org.omar.id] })] }],
    [gift, { steps: [stepOf({ key: 'one', groupIds: [group.id], userIds: [goes.id] })] }],
    [elsewhere, { audience: 'groups', audienceGroupIds: [other.id] }],
  ]
  for (const [{ id }, handling] of handlings) assert.equal((await org.admin.put(`/services/${id}/handling`, handling)).status, 200)
  assert.equal((await org.admin.delete(`/users/${goes.id}`)).status, 204)
  const { body } = await org.admin.get(`/groups/${group.id}/dependents/services?limit=5`)
  assert.deepEqual(
    body.items.map(({ part, id, isLast }: { part: string; id: number; isLast: boolean }) => [part, id, isLast]),
    [
      ['audience', badge.id, true],
      ['onBehalf', badge.id, false],
      ['steps', car.id, true],
      ['steps', desk.id, false],
      ['steps', gift.id, true],
    ],
  )
  assert.deepEqual([body.totalCount, body.nextOffset], [6, 5])
  const rest = await org.admin.get(`/groups/${group.id}/dependents/services?offset=5`)
  assert.deepEqual(rest.body.items, [{ part: 'team', id: team.id, nameAr: team.nameEn, nameEn: team.nameEn, isLast: false }])
  assert.equal((await org.huda.get(`/groups/${group.id}/dependents/services`)).status, 403)
  assert.equal((await org.admin.get('/groups/2147483647/dependents/services')).status, 404)
})

test('a handling with no or unknown groups is refused, and one with only defaults is not stored', async () => {
  const [{ id }, group] = [await make.newService(), await make.newGroup()]
  const put = (body: object) => org.admin.put(`/services/${id}/handling`, body)
  const empty = await put({ audience: 'groups' })
  assert.deepEqual([empty.status, empty.body.details[0].path, empty.body.details[0].rule], [400, 'audienceGroupIds', 'noGroups'])
  for (const body of [{ teamId: 999_999 }, { audience: 'groups', audienceGroupIds: [group.id, 999_999] }])
    assert.equal((await put(body)).body.code, 'unknown_ids')
  await put({ audience: 'groups', audienceGroupIds: [group.id, group.id] })
  assert.deepEqual((await portal.sql('select audience_group_ids from service_handlings where service_id = $1', [id]))[0], {
    audience_group_ids: [group.id],
  })
  await put({})
  assert.deepEqual(await portal.sql('select from service_handlings where service_id = $1', [id]), [])
  assert.deepEqual(await portal.traces(() => put({})), silence)
  for (const path of [`/services/${id}/handling`, `/services/${id}/notice`]) assert.equal((await org.huda.put(path, {})).status, 403)
  assert.equal((await org.admin.put('/services/999999/handling', {})).status, 404)
})

test('the reply to a new handling names the groups of the audience that people may ask to join', async () => {
  const [{ id }, group] = [await make.newService(), await make.newGroup()]
  await org.admin.put(`/groups/${group.id}/request-policy`, { requestable: true, approverUserIds: [org.admin.id] })
  const { body } = await org.admin.put(`/services/${id}/handling`, { audience: 'groups', audienceGroupIds: [group.id] })
  assert.deepEqual(body.openGroupIds, [group.id])
})

test('a paused service cannot be ordered until the pause ends by itself; saving the service does not prolong it', async () => {
  const { id } = await make.newService()
  const until = new Date(Date.now() + 3_600_000).toISOString()
  const notice = { noticeAr: 'مغلق للجرد', noticeEn: 'Closed for the inventory' }
  const traces = await portal.traces(() => org.admin.put(`/services/${id}/notice`, { ...notice, paused: true, until }))
  assert.deepEqual([traces.audit.map(({ action }) => action), traces.events], [['service.notice.update'], events])
  const refused = await org.huda.post('/orders', { serviceId: id })
  const { code, noticeAr, noticeEn } = refused.body
  assert.deepEqual(
    [refused.status, code, { noticeAr, noticeEn }, Date.parse(refused.body.until)],
    [400, 'service_unavailable', notice, Date.parse(until)],
  )
  const { body: service } = await org.admin.get(`/services/${id}`)
  assert.equal(service.isAvailable, true)
  await org.admin.patch(`/services/${id}`, { isAvailable: service.isAvailable, nameEn: 'Files' })
  const entry = async () => (await org.huda.get(`/service-catalogue/${id}`)).body
  assert.deepEqual([(await entry()).isPaused, (await entry()).noticeEn], [true, notice.noticeEn])
  await portal.sql(
    `begin; update service_notices set until = now(); insert into ledger (kind, target_type, target_id, facts) values ('test.meddled', 'service', ${id}, '{}'); commit`,
  )
  assert.deepEqual([(await entry()).isPaused, (await entry()).noticeEn, (await entry()).until], [false, null, null])
  assert.equal((await org.huda.post('/orders', { serviceId: id })).status, 201)
})

test('a notice must end in the future, at most 92 days ahead', async () => {
  const { id } = await make.newService()
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
  for (const until of [inDays(-1), inDays(93), '2026-02-30T10:00:00Z']) {
    const { status, body } = await org.admin.put(`/services/${id}/notice`, { noticeEn: 'Soon', until })
    assert.deepEqual([status, body.details[0].path], [400, 'until'], until)
  }
})

test('leads can write the notices of only their teams’ services', async () => {
  const [{ id }, other] = [await make.newService(), await make.newService()]
  const team = await make.newTeam({ leadUserIds: [org.huda.id] })
  await org.admin.put(`/services/${id}/handling`, { teamId: team.id })
  assert.equal((await org.huda.put(`/services/${id}/notice`, { paused: true })).body.paused, true)
  assert.equal((await org.huda.get(`/services/${id}/notice`)).body.paused, true)
  assert.equal((await org.huda.put(`/services/${other.id}/notice`, { paused: true })).status, 403)
  assert.equal((await org.omar.get(`/services/${id}/notice`)).status, 403)
})

test('the handling and the notice of an unknown service are not found', async () => {
  const at = '/services/2147483647'
  for (const answer of [
    await org.admin.get(`${at}/handling`),
    await org.admin.get(`${at}/notice`),
    await org.admin.put(`${at}/notice`, {}),
  ])
    assert.deepEqual([answer.status, answer.body.code], [404, 'not_found'])
})

test('undoing the deletion of a service restores its handling and its notice', async () => {
  const [{ id }, team] = [await make.newService(), await make.newTeam()]
  await org.admin.put(`/services/${id}/handling`, { teamId: team.id })
  await org.admin.put(`/services/${id}/notice`, { noticeEn: 'Soon' })
  await org.admin.delete(`/services/${id}`)
  await undoLast('service.delete')
  assert.equal((await org.admin.get(`/services/${id}/handling`)).body.teamId, team.id)
  assert.equal((await org.admin.get(`/services/${id}/notice`)).body.noticeEn, 'Soon')
})

test('the team of a deleted service cannot be deleted while the service can be restored', async () => {
  const [{ id }, team] = [await make.newService(), await make.newTeam()]
  await org.admin.put(`/services/${id}/handling`, { teamId: team.id })
  await org.admin.delete(`/services/${id}`)
  const refused = await org.admin.delete(`/service-teams/${team.id}`)
  assert.deepEqual([refused.status, refused.body.code, refused.body.serviceCount], [409, 'has_dependents', 1])
  await undoLast('service.delete')
  assert.equal((await org.admin.get(`/services/${id}/handling`)).body.teamId, team.id)
  await org.admin.delete(`/services/${id}`)
  await portal.sql(`update deletions set deleted_at = deleted_at - interval '31 seconds'`)
  assert.equal((await org.admin.delete(`/service-teams/${team.id}`)).status, 204)
})

test('a handling and a team that are saved while a group is deleted have the group again once its deletion is undone', async () => {
  const [kept, gone, lead] = [await make.newGroup(), await make.newGroup(), await make.newPerson()]
  const groupIds = [kept.id, gone.id]
  const { id } = await make.newService()
  const { id: teamId } = await make.newTeam({ groupIds })
  const step = { key: 'first', nameAr: 'الأولى', nameEn: 'First', groupIds }
  const lists = { audience: 'groups', audienceGroupIds: groupIds, onBehalf: 'groups', onBehalfGroupIds: groupIds, steps: [step] }
  await org.admin.put(`/services/${id}/handling`, lists)
  const [handling, team] = [`/services/${id}/handling`, `/service-teams/${teamId}`]
  const read = async () => {
    const { audienceGroupIds, onBehalfGroupIds, steps, reopenDays } = (await org.admin.get(handling)).body
    const { groupIds, leadUserIds } = (await org.admin.get(team)).body
    return [audienceGroupIds, onBehalfGroupIds, steps[0].groupIds, groupIds, reopenDays, leadUserIds]
  }
  assert.equal((await org.admin.delete(`/groups/${gone.id}`)).status, 204)
  const { openGroupIds: _, ...shown } = (await org.admin.get(handling)).body
  assert.equal((await org.admin.put(handling, { ...shown, reopenDays: 3 })).status, 200)
  assert.equal((await org.admin.patch(team, { groupIds: [kept.id], leadUserIds: [lead.id] })).status, 200)
  const only = [kept.id]
  assert.deepEqual(await read(), [only, only, only, only, 3, [lead.id]])
  await undoLast('group.delete')
  assert.deepEqual(await read(), [groupIds, groupIds, groupIds, groupIds, 3, [lead.id]])

  // Once the deletion cannot be undone, the lists lose the group for good.
  await org.admin.delete(`/groups/${gone.id}`)
  await portal.sql(`update deletions set deleted_at = deleted_at - interval '31 seconds'`)
  await org.admin.put(handling, { ...shown, reopenDays: 4 })
  const stored = await portal.sql(`select audience_group_ids as "groupIds" from service_handlings where service_id = ${id}`)
  assert.deepEqual(stored, [{ groupIds: only }])
})
