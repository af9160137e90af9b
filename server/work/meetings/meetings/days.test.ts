/** The meetings of days, their order, and copies on other days. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silence } from '../../../../test/makers.ts'
import { alone, changedDays, type MadeMeeting, MEETINGS, meetingPortal } from '../../../../test/meetings.ts'
import { testPortal } from '../../../../test/portal.ts'

const portal = testPortal()
const { who, executives, newMeeting, whenReady } = meetingPortal(portal)

let day = 0
/** A day in a year that no other test uses. */
const freshDay = () => `${2040 + ++day}-03-15`
const titles = ({ body }: { body: MadeMeeting[] }) => body.map(({ titleEn }) => titleEn)
const add = (date: string, titleEn: string, startTime: string | null = null, fields: object = {}) =>
  newMeeting({ date, titleEn, startTime, endTime: null, ...fields })
const onDay = async (date: string) => titles(await who('executive_viewer').get(`${MEETINGS}?date=${date}`))
const order = (date: string, ids: number[]) => portal.admin.put(`${MEETINGS}/order`, { date, ids })

test('a day’s meetings are sorted by time; those without a time come last', async () => {
  await whenReady()
  const date = freshDay()
  for (const [title, time] of [
    ['open', null],
    ['noon', '12:00'],
    ['early', '08:30'],
    ['also noon', '12:00'],
  ] as const)
    await add(date, title, time)
  assert.deepEqual(await onDay(date), ['early', 'noon', 'also noon', 'open'])
})

test('a span lists its meetings by day, including its first and last day', async () => {
  const year = freshDay().slice(0, 4)
  for (const date of ['03-14', '03-17', '03-15', '03-16', '03-18']) await add(`${year}-${date}`, date, '09:00')
  const { body } = await portal.admin.get(`${MEETINGS}?from=${year}-03-15&to=${year}-03-17`)
  assert.deepEqual(titles({ body }), ['03-15', '03-16', '03-17'])
  assert.deepEqual((await portal.admin.get(`${MEETINGS}/?from=${year}-03-15&to=${year}-03-15`)).body.length, 1)
})

const unfit: [query: string, path: string][] = [
  ['', 'date'],
  ['date=', 'date'],
  ['date=2030-02-30', 'date'],
  ['date=2030-02-03&date=2030-02-04', 'date'],
  ['date=2030-02-03&from=2030-02-03&to=2030-02-03', 'date'],
  ['from=2030-01-01', 'to'],
  ['to=2030-01-01', 'from'],
  ['from=2030-02-30&to=2030-03-01', 'from'],
  ['from=2030-03-01&to=2030-03-32', 'to'],
  ['from=2030-03-02&to=2030-03-01', 'from'],
  ['from=2030-01-01&to=2030-04-03', 'to'],
  ['from=0001-01-01&to=9999-12-31', 'to'],
  ['from=x&to=2030-01-01', 'from'],
]
for (const [query, path] of unfit)
  test(`listing meetings with ${query || 'no day'} is refused with a detail for ${path}`, async () => {
    const { status, body } = await portal.admin.get(`${MEETINGS}?${query}`)
    assert.deepEqual([status, body.code, body.details.map((detail: { path: string }) => detail.path)], [400, 'validation_failed', [path]])
  })

test('a span has at most 92 days, and the first and last days of the calendar are ordinary days', async () => {
  assert.equal((await portal.admin.get(`${MEETINGS}?from=2030-01-01&to=2030-04-02`)).status, 200)
  for (const date of ['0001-01-01', '9999-12-31']) {
    await add(date, 'edge')
    assert.deepEqual(await onDay(date), ['edge'])
    assert.equal((await portal.admin.get(`${MEETINGS}?from=${date}&to=${date}`)).body.length, 1)
    assert.deepEqual((await portal.admin.get(`${MEETINGS}/dates?from=${date}&to=${date}`)).body, [{ date, meetingCount: 1 }])
  }
})

test('days are listed with the number of their meetings, cancelled ones included', async () => {
  const year = freshDay().slice(0, 4)
  for (const date of ['05-02', '05-01', '05-02', '05-04']) await add(`${year}-${date}`, date)
  await add(`${year}-05-02`, 'cancelled', null, { status: 'cancelled' })
  const { body } = await who('executive_viewer').get(`${MEETINGS}/dates?from=${year}-05-01&to=${year}-05-03`)
  assert.deepEqual(body, [
    { date: `${year}-05-01`, meetingCount: 1 },
    { date: `${year}-05-02`, meetingCount: 3 },
  ])
  assert.deepEqual((await portal.admin.get(`${MEETINGS}/dates?from=${year}-05-03&to=${year}-12-31`)).body, [
    { date: `${year}-05-04`, meetingCount: 1 },
  ])
})

test('all days are listed by default, and all after or before a single end', async () => {
  for (const date of ['1950-01-01', '2950-01-01']) await add(date, 'far away')
  const listed = async (query = '') =>
    (await portal.admin.get(`${MEETINGS}/dates${query}`)).body.map(({ date }: { date: string }) => date) as string[]
  const all = await listed()
  assert.deepEqual(
    all.filter((date) => date.endsWith('50-01-01')),
    ['1950-01-01', '2950-01-01'],
  )
  assert.deepEqual(all, all.toSorted())
  assert.deepEqual(await listed('?to=1950-01-01&from=1949-01-01'), ['1950-01-01'])
  assert.deepEqual(await listed('?from=2950-01-01&to=2999-01-01'), ['2950-01-01'])
  assert.deepEqual([await listed('?limit=1'), await listed('?limit=1&offset=1')], [all.slice(0, 1), all.slice(1, 2)])
  for (const [query, path] of [
    ['from=2030-01-02&to=2030-01-01', 'from'],
    ['from=2030-13-01', 'from'],
    ['to=2030-02-29', 'to'],
  ]) {
    const { status, body } = await portal.admin.get(`${MEETINGS}/dates?${query}`)
    assert.deepEqual([status, body.details?.[0].path], [400, path], query)
  }
})

test('ordering a day puts the given meetings first, keeps the order of the rest, and records each meeting that moved', async () => {
  const date = freshDay()
  const a = await add(date, 'a', '08:00')
  const b = await add(date, 'b', '09:00')
  const c = await add(date, 'c', '10:00')
  const d = await add(date, 'd', '11:00')
  const traces = await portal.traces(async () => {
    const { status, body } = await who('executive_coordinator').put(`${MEETINGS}/order`, { date, ids: [c.id, a.id] })
    assert.equal(status, 200)
    assert.deepEqual(titles({ body }), ['c', 'a', 'b', 'd'])
    assert.deepEqual(
      body.map(({ sortOrder }: MadeMeeting) => sortOrder),
      [1, 2, 3, 4],
    )
  })
  const placed = ({ id }: MadeMeeting, to: number) => ({
    action: 'meeting.reorder',
    type: 'meeting',
    target: id,
    metadata: { before: { date, sortOrder: 0 }, after: { date, sortOrder: to } },
  })
  assert.deepEqual(traces, {
    ...silence,
    audit: [placed(a, 2), placed(b, 3), placed(c, 1), placed(d, 4)],
    events: changedDays(executives(), date),
  })
  assert.deepEqual(await onDay(date), ['c', 'a', 'b', 'd'])
  const again = await portal.traces(async () => assert.equal((await order(date, [c.id])).status, 200))
  assert.deepEqual(again, silence)
  const { audit } = await portal.traces(() => order(date, [c.id, b.id]))
  assert.deepEqual(
    audit.map(({ target }) => target),
    [a.id, b.id],
  )
})

test('a meeting that moves to an ordered day comes last unless the call sets its place', async () => {
  const date = freshDay()
  const a = await add(date, 'a', '08:00')
  const b = await add(date, 'b', '09:00')
  await order(date, [b.id, a.id])
  assert.equal((await add(date, 'new', '07:00')).sortOrder, 3)
  const elsewhere = await add(freshDay(), 'moved', '06:00')
  assert.equal((await portal.admin.patch(`${MEETINGS}/${elsewhere.id}`, { date })).body.sortOrder, 4)
  assert.equal((await add(date, 'second', null, { sortOrder: 2 })).sortOrder, 2)
  assert.deepEqual(await onDay(date), ['b', 'a', 'second', 'new', 'moved'])
  const home = freshDay()
  assert.equal((await portal.admin.patch(`${MEETINGS}/${elsewhere.id}`, { date: home })).body.sortOrder, 0)
})

test('an order accepts only meetings of its day, each once', async () => {
  const [date, other] = [freshDay(), freshDay()]
  const [a, b] = [await add(date, 'a'), await add(other, 'b')]
  for (const [body, code, unknown] of [
    [{ date, ids: [b.id, a.id, 2147483647] }, 'unknown_ids', [b.id, 2147483647]],
    [{ date: freshDay(), ids: [a.id] }, 'unknown_ids', [a.id]],
    [{ date, ids: [a.id, a.id] }, 'validation_failed', ['ids']],
    [{ date, ids: [0] }, 'validation_failed', ['ids.0']],
    [{ date, ids: Array.from({ length: 1001 }, (_, n) => n + 1) }, 'validation_failed', ['']],
    [{ date }, 'validation_failed', ['ids']],
    [{ date: '2030-02-30', ids: [] }, 'validation_failed', ['date']],
  ] as const)
    assert.deepEqual(
      await portal.traces(async () => {
        const answer = await portal.admin.put(`${MEETINGS}/order`, body)
        assert.deepEqual([answer.status, answer.body.code], [400, code])
        assert.deepEqual(answer.body.unknownIds ?? answer.body.details.map(({ path }: { path: string }) => path), unknown)
      }),
      silence,
    )
})

test('a copy has all fields of its meeting, but is scheduled, belongs to the person who copied it, and comes last in an ordered day', async () => {
  const [date, to] = [freshDay(), freshDay()]
  const source = await newMeeting({
    date,
    locationAr: 'القاعة',
    meetingUrl: 'https://meet.example.org/1',
    notes: 'Bring the plan',
    status: 'cancelled',
    isHighlighted: true,
    sortOrder: 9,
    attendees: [{ name: 'Ann', title: 'Head', kind: 'external' }, { name: 'Bob' }],
  })
  const there = await add(to, 'there')
  await order(to, [there.id])
  const author = who('executive_coord_lead')
  let copy!: MadeMeeting
  const traces = await portal.traces(async () => {
    const answer = await author.post(`${MEETINGS}/${source.id}/duplicate`, { date: to })
    assert.equal(answer.status, 201, answer.text)
    copy = alone(answer.body)
  })
  const { id, createdAt, updatedAt, attendees, ...fields } = copy
  assert.notEqual(id, source.id)
  const bare = (list: MadeMeeting['attendees']) => list.map(({ id: _, ...attendee }) => attendee)
  assert.deepEqual(bare(attendees), bare(source.attendees))
  assert.deepEqual({ ...source, ...fields }, { ...source, date: to, status: 'scheduled', sortOrder: 2, createdBy: author.id })
  assert.ok(createdAt >= source.createdAt && updatedAt >= createdAt)
  assert.deepEqual(traces, {
    ...silence,
    audit: [{ action: 'meeting.duplicate', type: 'meeting', target: id, metadata: { before: null, after: copy } }],
    events: changedDays(executives(), to),
  })
  const refused = await author.post(`${MEETINGS}/${source.id}/duplicate`, { date: '2030-02-30' })
  assert.deepEqual([refused.status, refused.body.details[0].path], [400, 'date'])
  assert.deepEqual((await portal.admin.get(`${MEETINGS}/${source.id}`)).body, source)
})

test('deleting a meeting announces its day and the days of its tasks, once each', async () => {
  const meeting = await newMeeting()
  for (const dueDate of [meeting.date, meeting.date, '2031-03-02', '2031-03-02', null])
    assert.equal((await portal.admin.post(`${MEETINGS}/tasks`, { titleEn: 'Draft', meetingId: meeting.id, dueDate })).status, 201)
  const { audit, events } = await portal.traces(() => portal.admin.delete(`${MEETINGS}/${meeting.id}`))
  assert.equal(audit.length, 6)
  const days = events.filter(({ event }) => event === 'meetings_changed').map(({ data }) => (data as { date: string | null }).date)
  // One of the tasks has no day.
  assert.deepEqual(days, [meeting.date, '2031-03-02', null])
})
