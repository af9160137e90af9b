/** The people who have the same record open, and the events of the audit log for administrators. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers, silence } from '../../../test/makers.ts'
import { Client, testPortal, until } from '../../../test/portal.ts'

const portal = testPortal()
const { newGroup, newPerson } = makers(portal)
const MEETINGS = '/executive-meetings'

const newAdmin = () => newPerson({ roles: ['admin'] })
type Body = Record<string, unknown>
async function at(who: Client, body: Body, path = '/admin/presence') {
  const answer = await who.put(path, { editing: false, ...body })
  assert.equal(answer.status, 200, answer.text)
  return (answer.body as { user: { id: number }; editing: boolean; since: string }[]).map(({ user, editing }) => [user.id, editing])
}
const newPlace = async () => ({ targetType: 'group', targetId: (await newGroup()).id })
/** Moves the presences of everybody, or of one person, `seconds` into the past. */
const pass = (seconds: number, who?: { id: number }) =>
  portal.sql(`update presences set seen_at = seen_at - make_interval(secs => $1) where $2::int is null or user_id = $2`, [
    seconds,
    who?.id ?? null,
  ])

test('two administrators see each other at a record, whichever instance they are connected to', async () => {
  const [huda, salem, place] = [await newAdmin(), await newAdmin(), await newPlace()]
  const other = await portal.another()
  const there = new Client(other.base)
  there.cookie = salem.cookie
  const [stream, streamThere] = [await huda.listen(), await there.listen()]
  assert.deepEqual(await at(huda, place), [])
  assert.deepEqual(await at(there, { ...place, editing: true }), [[huda.id, false]])
  const ofSalem = ({ people }: { people: { user: { id: number } }[] }) => people.some(({ user }) => user.id === salem.id)
  const { data } = await stream.next('presence_changed', ofSalem)
  const [{ since }] = data.people
  const { id, username } = salem
  const user = { id, username, displayNameAr: null, displayNameEn: null, avatarUrl: null }
  assert.deepEqual(data, { ...place, date: null, people: [{ user, editing: true, since }] })
  assert.ok(Math.abs(Date.now() - Date.parse(since)) < 60_000)
  await streamThere.next('presence_changed', ({ people }) => people[0]?.user.id === huda.id)
  await at(huda, { ...place, editing: true })
  await streamThere.next('presence_changed', ({ people }) => people[0]?.editing === true)
  assert.deepEqual(await portal.traces(() => at(huda, { ...place, editing: true })), silence)
  for (const one of [stream, streamThere]) one.close()
})

test('a presence that is not renewed for 45 seconds ends, and the other people present get an event', async () => {
  const [huda, salem, third, place] = [await newAdmin(), await newAdmin(), await newAdmin(), await newPlace()]
  for (const one of [huda, salem, third]) await at(one, place)
  await pass(30, salem)
  assert.deepEqual(await at(huda, place), [
    [salem.id, false],
    [third.id, false],
  ])
  await pass(20, salem)
  const { events } = await portal.traces(async () => assert.deepEqual(await at(huda, place), [[third.id, false]]))
  assert.deepEqual(
    events.map(({ event, to }) => [event, to]),
    [
      ['presence_changed', [huda.id]],
      ['presence_changed', [third.id]],
    ],
  )
  await pass(3600)
  await portal.sql(`select graphile_worker.add_job('clean_up')`)
  await until('nothing is left', async () => (await portal.sql('select from presences')).length === 0)
})

test('people who arrive at the same time see each other', async () => {
  const place = await newPlace()
  const all = await Promise.all([1, 2, 3, 4].map(newAdmin))
  const streams = await Promise.all(all.map((one) => one.listen()))
  await Promise.all(all.map((one) => at(one, place)))
  for (const stream of streams) {
    await stream.next('presence_changed', ({ people }) => people.length === 3)
    stream.close()
  }
})

test('people who may no longer see a record are not listed, and get no events', async () => {
  const [huda, salem, third, place] = [await newAdmin(), await newAdmin(), await newAdmin(), await newPlace()]
  for (const one of [huda, salem]) await at(one, place)
  await portal.admin.delete(`/users/${salem.id}/roles/admin`)
  const { events } = await portal.traces(async () => assert.deepEqual(await at(third, place), [[huda.id, false]]))
  assert.deepEqual(
    events.map(({ to }) => to),
    [[huda.id], [third.id]],
  )
  await portal.admin.delete(`/users/${huda.id}?force=true`)
  assert.deepEqual(await at(third, place), [])
})

test('a person is present at 20 places at most', async () => {
  const huda = await newAdmin()
  for (let day = 1; day <= 22; day++) await at(huda, { date: `2030-01-${String(day).padStart(2, '0')}` }, `${MEETINGS}/presence`)
  const kept = await portal.sql<{ place: string }>('select place from presences where user_id = $1 order by place', [huda.id])
  assert.deepEqual([kept.length, kept[0]!.place], [20, 'meeting_day 2030-01-03'])
})

test('executives can be present only at existing meetings and days', async () => {
  const [ceo, viewer] = [await newPerson({ roles: ['executive_ceo'] }), await newPerson({ roles: ['executive_viewer'] })]
  const { id: meetingId } = (await portal.admin.post(MEETINGS, { date: '2030-02-03', titleEn: 'Budget' })).body
  for (const place of [{ meetingId }, { date: '2030-02-03' }]) {
    assert.deepEqual(await at(ceo, place, `${MEETINGS}/presence`), [])
    assert.deepEqual(await at(viewer, place, `${MEETINGS}/presence`), [[ceo.id, false]])
  }
  for (const [body, code] of [
    [{}, 'validation_failed'],
    [{ meetingId, date: '2030-02-03' }, 'validation_failed'],
    [{ date: '2030-02-30' }, 'validation_failed'],
    [{ meetingId: 2147483647 }, 'not_found'],
  ] as const)
    assert.equal((await viewer.put(`${MEETINGS}/presence`, { editing: true, ...body })).body.code, code, JSON.stringify(body))
  assert.equal((await (await newPerson()).put(`${MEETINGS}/presence`, { meetingId, editing: true })).status, 403)
})

test('administrators can be present only at existing records', async () => {
  assert.deepEqual(await at(portal.admin, { targetType: 'settings', targetId: 1 }), [])
  assert.deepEqual(await at(portal.admin, { targetType: 'user', targetId: portal.admin.id }), [])
  for (const targetType of ['user', 'group', 'role', 'permission', 'app', 'service', 'service_category', 'order', 'settings'])
    assert.equal((await portal.admin.put('/admin/presence', { targetType, targetId: 2147483647, editing: false })).body.code, 'not_found')
  for (const body of [{ targetType: 'note', targetId: 1 }, { targetType: 'user', targetId: 0 }, { targetType: 'user' }])
    assert.equal((await portal.admin.put('/admin/presence', { editing: false, ...body })).body.code, 'validation_failed')
  const viewer = await newPerson({ roles: ['executive_viewer'] })
  assert.equal((await viewer.put('/admin/presence', { ...(await newPlace()), editing: false })).status, 403)
})

test('active administrators get an event for each entry of the audit log, and nobody else does', async () => {
  const [huda, away, person] = [await newAdmin(), await newAdmin(), await newPerson()]
  await portal.admin.patch(`/users/${away.id}`, { isActive: false })
  const stream = await huda.listen()
  const { id } = await newGroup()
  const { data } = await stream.next('admin_changed', ({ action, targetId }) => action === 'group.create' && targetId === id)
  const { entries } = (await portal.admin.get(`/admin/audit-logs?targetType=group&targetId=${id}`)).body
  assert.deepEqual(data, { targetType: 'group', targetId: id, action: 'group.create', actorId: portal.admin.id, version: entries[0].id })
  const [{ recipients }] = (await portal.sql<{ recipients: number[] }>(
    `select recipients from events where event = 'admin_changed' order by id desc limit 1`,
  )) as [{ recipients: number[] }]
  assert.deepEqual(
    [huda, away, person].map((one) => recipients.includes(one.id)),
    [true, false, false],
  )
  stream.close()
})
