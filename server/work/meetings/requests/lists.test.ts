/** Lists of requests: access, filters, order, and the number of statements. */
import assert from 'node:assert/strict'
import { mock, test } from 'node:test'
import pg from 'pg'
import { idsIn, makers } from '../../../../test/makers.ts'
import { act, REQUESTS, requestPortal } from '../../../../test/meeting-requests.ts'
import { TASKS } from '../../../../test/meetings.ts'
import { type Client, testPortal } from '../../../../test/portal.ts'

const portal = testPortal()
const { newPerson } = makers(portal)
const { who, newMeeting, newRequest, whenReady } = requestPortal(portal)

const idsOf = ({ body }: { body: { items: { id: number }[] } }) => body.items.map(({ id }) => id)

test('everyone with executive access sees every request, and nobody else does', async () => {
  await whenReady()
  const { id } = await newRequest('requester', { type: 'create', details: { date: '2033-01-01', titleEn: 'Visit' } })
  for (const role of ['executive_ceo', 'executive_office_manager', 'executive_coord_lead', 'executive_coordinator', 'executive_viewer'])
    assert.ok(idsOf(await (await newPerson({ roles: [role] })).get(REQUESTS)).includes(id), role)
  assert.ok(idsOf(await portal.admin.get(REQUESTS)).includes(id))
  for (const name of ['passer-by', 'former requester', 'approver at large']) {
    const { status, body } = await who(name).get(REQUESTS)
    assert.deepEqual([status, body.error, body.code], [403, 'Forbidden', 'forbidden'])
  }
  assert.equal((await who('stranger').get(REQUESTS)).status, 401)
})

test('only the executive roles with the permission may make requests', async () => {
  await whenReady()
  const { id } = await newMeeting({ date: '2033-01-02' })
  const may = {
    executive_ceo: 201,
    executive_office_manager: 201,
    executive_coord_lead: 201,
    executive_coordinator: 201,
    executive_viewer: 403,
  }
  const body = { type: 'cancel', details: {} }
  for (const [role, status] of Object.entries(may)) {
    const person = await newPerson({ roles: [role] })
    assert.equal((await person.post(REQUESTS, { ...body, meetingId: id })).status, status, role)
    assert.equal((await person.post(`/executive-meetings/${id}/requests`, body)).status, status, role)
  }
  for (const name of ['passer-by', 'former requester', 'approver at large']) {
    assert.equal((await who(name).post(REQUESTS, 'nonsense')).status, 403)
    assert.equal((await who(name).post(`/executive-meetings/0/requests`, {})).status, 403)
    assert.equal((await who(name).patch(`${REQUESTS}/0`, {})).status, 403)
  }
  for (const path of [REQUESTS, `/executive-meetings/${id}/requests`]) assert.equal((await who('stranger').post(path, body)).status, 401)
})

test('requests are filtered and paged, newest first', async () => {
  const [mine, other] = [await newPerson({ roles: ['executive_coordinator'] }), await newPerson({ roles: ['executive_coord_lead'] })]
  const [first, second] = [await newMeeting({ date: '2033-02-01' }), await newMeeting({ date: '2033-02-01' })]
  const ask = async (by: Client, meetingId: number) => (await newRequest(by, { type: 'note', meetingId, details: { text: 'x' } })).id
  const [a, b, c, d] = [await ask(mine, first.id), await ask(other, first.id), await ask(mine, second.id), await ask(mine, first.id)]
  await act(who('reviewer'), 'rejected', d)
  await act(mine, 'withdraw', c)
  const list = async (query: string, by = mine) => idsOf(await by.get(`${REQUESTS}?${query}`))
  assert.deepEqual(await list('mine=true'), [d, c, a])
  assert.deepEqual((await list('mine=false')).slice(0, 4), [d, c, b, a])
  assert.deepEqual((await list('')).slice(0, 4), [d, c, b, a])
  assert.deepEqual(await list('mine=true', other), [b])
  assert.deepEqual(await list(`meetingId=${first.id}`), [d, b, a])
  assert.deepEqual(await list(`meetingId=${first.id}&status=pending`), [b, a])
  assert.deepEqual(await list(`meetingId=${first.id}&status=pending&mine=true`), [a])
  assert.deepEqual(await list('status=withdrawn&mine=true'), [c])
  assert.deepEqual(await list('meetingId=2147483647'), [])

  const counts = { pending: 1, approved: 0, rejected: 1, needs_edit: 0, withdrawn: 1 }
  const ofOne = (await mine.get(`${REQUESTS}?mine=true&status=withdrawn`)).body
  assert.deepEqual([ofOne.totalCount, ofOne.counts], [1, counts])
  const { items, ...envelope } = (await mine.get(`${REQUESTS}?mine=true&limit=2`)).body
  assert.deepEqual([items.length, envelope], [2, { totalCount: 3, limit: 2, offset: 0, nextOffset: 2, counts }])
  const { items: rest, ...end } = (await mine.get(`${REQUESTS}?mine=true&limit=2&offset=2`)).body
  assert.deepEqual([rest.map(({ id }: { id: number }) => id), end], [[a], { totalCount: 3, limit: 2, offset: 2, nextOffset: null, counts }])
  const whole = (await mine.get(`${REQUESTS}?mine=true`)).body
  assert.equal(whole.limit, 50)
  for (const wrong of [
    'limit=0',
    'limit=201',
    'offset=-1',
    'status=open',
    'status=pending&status=approved',
    'mine=1',
    'meetingId=0',
    'meetingId=x',
  ]) {
    const { status, body } = await mine.get(`${REQUESTS}?${wrong}`)
    assert.deepEqual([status, body.details[0].path], [400, wrong.split('=')[0]], wrong)
  }
})

test('a request stays when its requester and its reviewer are deleted', async () => {
  const [asker, decider] = [await newPerson({ roles: ['executive_coordinator'] }), await newPerson({ roles: ['executive_ceo'] })]
  const { id: meetingId } = await newMeeting({ date: '2033-03-01' })
  const [waiting, decided] = [
    await newRequest(asker, { type: 'cancel', meetingId, details: {} }),
    await newRequest(asker, { type: 'note', meetingId, details: { text: 'x' } }),
  ]
  await act(decider, 'needs_edit', decided.id)
  for (const one of [asker, decider]) assert.equal((await portal.admin.delete(`/users/${one.id}`)).status, 204)
  const { items } = (await who('reviewer').get(`${REQUESTS}?meetingId=${meetingId}`)).body
  const brief = items.map(({ id, requester, reviewer, reviewedAt, next }: Record<string, unknown>) => [
    id,
    requester,
    reviewer,
    !!reviewedAt,
    next,
  ])
  assert.deepEqual(brief, [
    [decided.id, null, null, true, []],
    [waiting.id, null, null, false, ['approved', 'rejected', 'needs_edit']],
  ])
  const traces = await portal.traces(() => act(who('reviewer'), 'approved', waiting.id))
  assert.deepEqual([traces.audit.length, traces.notices], [2, []])
})

test('deleting a meeting deletes its requests, each recorded', async () => {
  const { id: meetingId } = await newMeeting({ date: '2033-03-02' })
  const ids = []
  for (const type of ['cancel', 'note']) ids.push((await newRequest('requester', { type, meetingId, details: { text: 'x' } })).id)
  const traces = await portal.traces(() => portal.admin.delete(`/executive-meetings/${meetingId}`))
  assert.deepEqual(
    traces.audit.map(({ action, target }) => [action, target]),
    [['meeting.delete', meetingId], ...ids.map((id) => ['meeting_request.delete', id])],
  )
  assert.deepEqual(idsOf(await portal.admin.get(`${REQUESTS}?meetingId=${meetingId}`)), [])
  for (const id of ids) assert.equal((await act(who('reviewer'), 'approved', id)).status, 404)
})

/** The number of statements about meetings, requests and people that `act` sends. */
async function statementsOf(act: () => Promise<{ status: number; text: string }>, status: number) {
  let sent = 0
  const send = pg.Client.prototype.query as (...parts: unknown[]) => unknown
  const spy = mock.method(pg.Client.prototype, 'query', function (this: pg.Client, ...parts: unknown[]) {
    const { name = '', text } = typeof parts[0] === 'string' ? { text: parts[0] } : (parts[0] as { name?: string; text: string })
    if (!/^(load_actors|touch_sessions)/.test(name) && /meeting|executive/.test(text)) sent++
    return send.apply(this, parts)
  })
  const answer = await act()
  spy.mock.restore()
  assert.equal(answer.status, status, answer.text)
  return sent
}

test('reading and making requests sends as many statements with many requests, attendees and conflicts as with few', async (t) => {
  await whenReady()
  const slot = { date: '2033-04-01', startTime: '09:00', endTime: '10:00', titleEn: 'Crowded' }
  const counts: number[][] = []
  for (const size of [1, 40]) {
    const guests = await Promise.all(Array.from({ length: size }, () => newPerson()))
    const attendees = guests.map(({ id }) => ({ name: 'Guest', userId: id }))
    for (let n = 0; n < size; n++) {
      await newMeeting(slot)
      await newRequest('requester', { type: 'create', details: slot })
    }
    const { id: meetingId } = await newMeeting({ ...slot, attendees: [{ name: 'Guest' }] })
    const body = { type: 'edit', meetingId, details: { titleEn: 'Other', attendees } }
    let id = 0
    const ask = async () => {
      const answer = await who('requester').post(REQUESTS, body)
      id = answer.body.id
      return answer
    }
    counts.push([
      await statementsOf(() => who('viewer').get(`${REQUESTS}?status=pending&limit=200`), 200),
      await statementsOf(ask, 201),
      await statementsOf(() => act(who('reviewer'), 'needs_edit', id), 200),
      await statementsOf(() => act(who('requester'), 'resubmit', id, body), 200),
      await statementsOf(() => act(who('reviewer'), 'approved', id), 200),
    ])
    const { items } = (await who('viewer').get(`${REQUESTS}?status=pending&limit=200`)).body
    assert.ok(items[0].conflicts.length >= Math.min(size, 20))
  }
  t.diagnostic(`list, ask, return, ask again, approve: ${counts[0]}`)
  assert.equal(counts[0]![0], 2)
  assert.deepEqual(counts[1], counts[0])
})

test('tasks are counted by status with the filters of their list, and the list can also be filtered by status', async () => {
  const [date, assignee] = ['2031-01-02', await newPerson({ roles: ['executive_viewer'] })]
  const newTask = async (fields: object) => (await portal.admin.post(TASKS, { titleEn: 'Task', ...fields })).body
  const started = await newTask({ dueDate: date, assigneeId: assignee.id, status: 'in_progress' })
  await newTask({ dueDate: date, assigneeId: assignee.id })
  await newTask({ dueDate: date })
  const counted = async (query = '') => (await assignee.get(`${TASKS}/counts?${query}`)).body.counts
  assert.deepEqual(await counted(`date=${date}`), { open: 2, in_progress: 1, done: 0, cancelled: 0 })
  assert.deepEqual(await counted(`date=${date}&assigneeId=${assignee.id}`), { open: 1, in_progress: 1, done: 0, cancelled: 0 })
  assert.deepEqual(idsIn(await assignee.get(`${TASKS}?date=${date}&status=in_progress`)), [started.id])
  const counts = Object.values<number>(await counted())
  assert.equal(
    counts.reduce((sum, count) => sum + count),
    idsIn(await assignee.get(TASKS)).length,
  )
  for (const path of [`${TASKS}?status=pending`, `${TASKS}/counts?date=2031-02-30`])
    assert.equal((await assignee.get(path)).body.code, 'validation_failed', path)
})
