import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silence } from '../../../test/makers.ts'
import { seededPortal } from '../../../test/seed.ts'

const { portal, org, make } = seededPortal()
const events = [{ event: 'services_changed', data: {}, to: null }]
const audit = (action: string, target: number, metadata: object) => [
  { action: `service_team.${action}`, type: 'service_team', target, metadata },
]
let teams = 0
const names = () => ({ nameAr: `فريق ${++teams}`, nameEn: `Team ${teams}` })

test('a new team leaves an audit row and one event, and only its receivers, its leads and administrators can read it', async () => {
  const group = await make.newGroup({ userIds: [org.salem.id, org.omar.id] })
  const fields = { ...names(), groupIds: [group.id], leadUserIds: [org.huda.id, org.huda.id] }
  let id = 0
  const traces = await portal.traces(async () => {
    const { status, body } = await org.admin.post('/service-teams', fields)
    assert.deepEqual([status, body.groupIds, body.leadUserIds, body.serviceCount], [201, [group.id], [org.huda.id], 0])
    id = body.id
  })
  const { nameAr, nameEn } = fields
  assert.deepEqual(traces, { ...silence, audit: audit('create', id, { nameAr, nameEn }), events })
  const readers = ['admin', 'huda', 'salem', 'omar', 'rana'] as const
  const statuses = await Promise.all(readers.map(async (who) => (await org[who].get(`/service-teams/${id}`)).status))
  // Omar is a member of the group but may not receive orders; Rana may receive orders but is not a member.
  assert.deepEqual(statuses, [200, 200, 200, 404, 404])
  const listed = await Promise.all(
    readers.map(async (who) => (await org[who].get('/service-teams')).body.map((team: { id: number }) => team.id)),
  )
  assert.deepEqual(listed, [[], [id], [id], [], []])
  assert.equal((await org.salem.get('/service-teams?view=all')).status, 403)
  assert.deepEqual((await org.admin.get('/service-teams?view=all')).body, [(await org.admin.get(`/service-teams/${id}`)).body])
})

test('only receivers, leads and administrators can read the names of all teams', async () => {
  const team = await make.newTeam({ leadUserIds: [org.huda.id] })
  const { body } = await org.rana.get('/service-teams/names')
  const { id, nameAr, nameEn } = (await org.admin.get(`/service-teams/${team.id}`)).body
  assert.deepEqual(
    body.filter((one: { id: number }) => one.id === id),
    [{ id, nameAr, nameEn }],
  )
  for (const who of ['huda', 'admin'] as const) assert.deepEqual((await org[who].get('/service-teams/names')).body, body)
  assert.equal((await org.omar.get('/service-teams/names')).status, 403)
})

test('teams and calendars are listed alphabetically, whatever the case of their names', async () => {
  const group = await make.newGroup()
  const all = ['orchard', 'école', 'Bakery']
  for (const name of all) {
    const named = { nameAr: name, nameEn: name }
    assert.equal((await org.admin.post('/service-teams', { ...named, groupIds: [group.id] })).status, 201)
    await make.newCalendar(named)
  }
  for (const path of ['/service-teams?view=all', '/service-teams/names', '/working-calendars']) {
    const names = (await org.admin.get(path)).body.map(({ nameEn }: { nameEn: string }) => nameEn)
    assert.deepEqual(
      names.filter((name: string) => all.includes(name)),
      ['Bakery', 'école', 'orchard'],
      path,
    )
  }
})

test('only administrators create, change and delete', async () => {
  const { id } = await make.newTeam({ leadUserIds: [org.huda.id] })
  assert.equal((await org.huda.post('/service-teams', { ...names(), groupIds: [1] })).status, 403)
  assert.equal((await org.huda.patch(`/service-teams/${id}`, names())).status, 403)
  assert.equal((await org.huda.delete(`/service-teams/${id}`)).status, 403)
})

test('a team with a taken name, or with no, unknown or too many groups is refused without a trace', async () => {
  const { id: groupId } = await make.newGroup()
  const taken = await make.newTeam()
  const other = await make.newTeam()
  const traces = await portal.traces(async () => {
    const refused: [object, number, string][] = [
      [{ ...names(), groupIds: [groupId], nameEn: taken.nameEn.toUpperCase() }, 409, 'name_taken'],
      [{ ...names(), groupIds: [groupId], nameAr: taken.nameEn }, 409, 'name_taken'],
      [{ ...names(), groupIds: [] }, 400, 'validation_failed'],
      [{ ...names(), groupIds: Array.from({ length: 21 }, (_, n) => n + 1) }, 400, 'validation_failed'],
      [{ ...names(), groupIds: [999_999] }, 400, 'unknown_ids'],
      [{ ...names(), groupIds: [groupId], leadUserIds: [999_999] }, 400, 'unknown_ids'],
    ]
    for (const [body, status, code] of refused) {
      const answer = await org.admin.post('/service-teams', body)
      assert.deepEqual([answer.status, answer.body.code], [status, code], JSON.stringify(body))
    }
    assert.equal((await org.admin.patch(`/service-teams/${other.id}`, { nameAr: taken.nameEn })).body.code, 'name_taken')
  })
  assert.deepEqual(traces, silence)
})

test('an unknown team is not found, and there can be at most two hundred teams', async () => {
  const at = '/service-teams/2147483647'
  for (const { status, body } of [await org.admin.patch(at, names()), await org.admin.delete(at)])
    assert.deepEqual([status, body.code], [404, 'not_found'])
  const { id: groupId } = await make.newGroup()
  await portal.sql(
    `with made as (insert into service_teams (name_ar, name_en, group_ids)
       select 'طاقم ' || n, 'Crew ' || n, '{1}' from generate_series(1, 200) as n returning id)
     insert into ledger (kind, target_type, target_id, facts) select 'test.meddled', 'service_team', id, '{}' from made`,
  )
  const { status, body } = await org.admin.post('/service-teams', { ...names(), groupIds: [groupId] })
  assert.deepEqual([status, body.code], [400, 'too_many_items'])
  await portal.sql(
    `with gone as (delete from service_teams where name_en like 'Crew %' returning id)
     insert into ledger (kind, target_type, target_id, facts) select 'test.meddled', 'service_team', id, '{}' from gone`,
  )
})

test('a change records the fields that changed; one that changes nothing leaves no trace', async () => {
  const { id } = await make.newTeam()
  const change = () => org.admin.patch(`/service-teams/${id}`, { leadUserIds: [org.huda.id] })
  const traces = await portal.traces(async () => assert.deepEqual((await change()).body.leadUserIds, [org.huda.id]))
  assert.deepEqual(traces, {
    ...silence,
    audit: audit('update', id, { changed: { leadUserIds: { from: [], to: [org.huda.id] } } }),
    events,
  })
  assert.deepEqual(await portal.traces(change), silence)
})

test('a team that a service or an open order names cannot be deleted', async () => {
  const [{ id }, service] = [await make.newTeam(), await make.newService()]
  const { body: order } = await org.huda.post('/orders', { serviceId: service.id })
  await org.admin.post(`/orders/${order.id}/transfer`, { teamId: id })
  await org.admin.put(`/services/${service.id}/handling`, { teamId: id })
  const refused = async (serviceCount: number, openOrderCount: number) => {
    const { status, body } = await org.admin.delete(`/service-teams/${id}`)
    assert.deepEqual([status, body.code, body.serviceCount, body.openOrderCount], [409, 'has_dependents', serviceCount, openOrderCount])
  }
  await refused(1, 1)
  await org.admin.put(`/services/${service.id}/handling`, {})
  await refused(0, 1)
  await org.huda.patch(`/orders/${order.id}/status`, { status: 'cancelled' })
  assert.equal((await org.admin.delete(`/service-teams/${id}`)).status, 204)
  assert.equal((await org.admin.get(`/service-teams/${id}`)).status, 404)
  // An order that has ended has no receivers once its team is deleted.
  assert.equal((await org.rana.get(`/orders/${order.id}`)).status, 404)
  assert.equal((await org.huda.get(`/orders/${order.id}`)).status, 200)
})

test('when the last group of a team is deleted, administrators and its leads are notified', async () => {
  for (const [leadUserIds, told] of [
    [[org.huda.id], [org.admin.id, org.huda.id]],
    [[], [org.admin.id]],
  ] as const) {
    const group = await make.newGroup({ userIds: [org.salem.id] })
    const team = await make.newTeam({ groupIds: [group.id], leadUserIds: [...leadUserIds] })
    const { notices } = await portal.traces(() => org.admin.delete(`/groups/${group.id}?force=true`))
    assert.deepEqual(
      notices.map(({ user, titleEn }) => [user, titleEn]),
      told.map((id) => [id, 'Nobody receives a team’s orders']),
    )
    assert.deepEqual((await org.admin.get(`/service-teams/${team.id}`)).body.groupIds, [])
  }
})
