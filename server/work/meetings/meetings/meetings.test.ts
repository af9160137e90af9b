import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers, silence } from '../../../../test/makers.ts'
import { alone, changedDays, DAY, type MadeMeeting, MEETINGS, meetingPortal, notified, otherEvents } from '../../../../test/meetings.ts'
import { testPortal } from '../../../../test/portal.ts'

const portal = testPortal()
const { newPerson } = makers(portal)
const { who, executives, newMeeting, whenReady } = meetingPortal(portal)

const whole = {
  date: DAY,
  startTime: '09:00',
  endTime: '10:30',
  titleAr: 'الميزانية',
  titleEn: 'Budget',
  locationAr: 'القاعة الكبرى',
  locationEn: 'Great hall',
  meetingUrl: 'https://meet.example.org/budget?x=1',
  notes: 'First line\nsecond line',
  status: 'postponed',
  isHighlighted: true,
  sortOrder: 7,
}

test('creating a meeting stores all of its fields and sends its day to everyone with executive access', async () => {
  await whenReady()
  const [author, guest] = [who('executive_coordinator'), await newPerson()]
  const attendees = [
    { name: 'هدى', title: 'مديرة', kind: 'internal', userId: guest.id },
    { name: 'Ann', title: null, kind: 'external', userId: null },
    { name: 'Bob', kind: 'virtual' },
    { name: 'Cy' },
  ]
  let made!: MadeMeeting
  const traces = await portal.traces(async () => {
    const answer = await author.post(MEETINGS, { ...whole, attendees, createdBy: 1, id: 99 })
    assert.equal(answer.status, 201, answer.text)
    made = alone(answer.body)
  })
  const { id, createdAt, updatedAt, attendees: stored, ...fields } = made
  assert.deepEqual(fields, { ...whole, createdBy: author.id })
  assert.deepEqual(
    stored.map(({ id: _, ...attendee }) => attendee),
    [
      { name: 'هدى', title: 'مديرة', kind: 'internal', userId: guest.id },
      { name: 'Ann', title: null, kind: 'external', userId: null },
      { name: 'Bob', title: null, kind: 'virtual', userId: null },
      { name: 'Cy', title: null, kind: 'internal', userId: null },
    ],
  )
  assert.ok(Date.parse(createdAt) && createdAt === updatedAt)
  assert.deepEqual(traces.audit, [{ action: 'meeting.create', type: 'meeting', target: id, metadata: { before: null, after: made } }])
  assert.deepEqual(notified(traces.notices), [[guest.id, 'You are invited to a meeting']])
  assert.deepEqual(otherEvents(traces.events), changedDays(executives(), DAY))
  assert.deepEqual((await who('executive_viewer').get(`${MEETINGS}/${id}`)).body, made)
})

test('a meeting needs a day and one title, and blank texts become null', async () => {
  const date = '2030-04-30'
  const meeting = await newMeeting({
    date,
    startTime: null,
    endTime: null,
    titleAr: '  ',
    titleEn: ' Budget \n',
    notes: '',
    locationEn: '',
    meetingUrl: '',
  })
  const { id: _id, createdAt: _at, updatedAt: _then, ...fields } = meeting
  assert.deepEqual(fields, {
    date,
    startTime: null,
    endTime: null,
    titleAr: null,
    titleEn: 'Budget',
    locationAr: null,
    locationEn: null,
    meetingUrl: null,
    notes: null,
    status: 'scheduled',
    isHighlighted: false,
    sortOrder: 0,
    attendees: [],
    createdBy: portal.admin.id,
  })
})

const many = (count: number) => Array.from({ length: count }, (_, n) => ({ name: `Guest ${n}` }))
const unfit: [what: string, fields: object, ...paths: string[]][] = [
  ['no day', { date: undefined }, 'date'],
  ['a day that is not in the calendar', { date: '2030-02-30' }, 'date'],
  ['a day in another format', { date: '01/05/2030' }, 'date'],
  ['the year zero', { date: '0000-01-01' }, 'date'],
  ['a time of another shape', { startTime: '9:00' }, 'startTime'],
  ['an hour there is not', { endTime: '24:00' }, 'endTime'],
  ['an end at the start', { startTime: '09:00', endTime: '09:00' }, 'endTime'],
  ['an end before the start', { startTime: '09:00', endTime: '08:59' }, 'endTime'],
  ['no title', { titleAr: null, titleEn: undefined }, 'titleAr', 'titleEn'],
  ['blank titles', { titleAr: ' ', titleEn: '\u202e\t' }, 'titleAr', 'titleEn'],
  ['several things at once', { endTime: '08:00', titleAr: '', titleEn: '' }, 'endTime', 'titleAr', 'titleEn'],
  ['a title too long', { titleEn: 'x'.repeat(301) }, 'titleEn'],
  ['a place too long', { locationAr: 'x'.repeat(301) }, 'locationAr'],
  ['notes too long', { notes: 'x'.repeat(5001) }, 'notes'],
  ['an address too long', { meetingUrl: `https://e.org/${'x'.repeat(2000)}` }, 'meetingUrl'],
  ['an address that runs', { meetingUrl: 'javascript:alert(1)' }, 'meetingUrl'],
  ['an address without a scheme', { meetingUrl: '//example.org' }, 'meetingUrl'],
  ['an unknown status', { status: 'gone' }, 'status'],
  ['a number as a title', { titleEn: 1 }, 'titleEn'],
  ['a text as a mark', { isHighlighted: 'true' }, 'isHighlighted'],
  ['a place below the first', { sortOrder: -1 }, 'sortOrder'],
  ['a place beyond all', { sortOrder: 2147483647 }, 'sortOrder'],
  ['too many attendees', { attendees: many(201) }, 'attendees'],
  ['attendees that are not a list', { attendees: { name: 'Ann' } }, 'attendees'],
  ['a nameless attendee', { attendees: [{ name: ' ' }] }, 'attendees.0.name'],
  ['an attendee without a name', { attendees: [{ title: 'Head' }] }, 'attendees.0.name'],
  ['an attendee’s name too long', { attendees: [{ name: 'x'.repeat(201) }] }, 'attendees.0.name'],
  ['an attendee of an unknown kind', { attendees: [{ name: 'Ann', kind: 'alien' }] }, 'attendees.0.kind'],
  ['an attendee’s user id of 0', { attendees: [{ name: 'Ann', userId: 0 }] }, 'attendees.0.userId'],
]
for (const [what, fields, ...paths] of unfit)
  test(`${what} is refused with a detail for the field, in a new meeting and in a change`, async () => {
    // An omitted field is missing in a new meeting, and unchanged in an existing one.
    const stays = Object.values(fields).includes(undefined)
    const { id } = await newMeeting()
    const sends = [
      () => portal.admin.post(MEETINGS, { date: DAY, startTime: '09:00', endTime: '10:00', titleEn: 'Budget', ...fields }),
      () => portal.admin.patch(`${MEETINGS}/${id}`, { titleEn: 'Budget', titleAr: null, ...fields }),
    ]
    for (const send of stays ? sends.slice(0, 1) : sends) {
      assert.deepEqual(
        await portal.traces(async () => {
          const { status, body } = await send()
          assert.deepEqual([status, body.code], [400, 'validation_failed'])
          assert.deepEqual(
            body.details.map(({ path }: { path: string }) => path),
            paths,
          )
        }),
        silence,
      )
    }
  })

test('texts of the greatest length are accepted', async () => {
  const fields = { titleEn: 'x'.repeat(300), locationAr: 'x'.repeat(300), notes: 'x'.repeat(5000), attendees: many(200) }
  const { id } = await newMeeting(fields)
  const { body } = await portal.admin.get(`${MEETINGS}/${id}`)
  assert.deepEqual([body.titleEn, body.locationAr, body.notes], [fields.titleEn, fields.locationAr, fields.notes])
  assert.deepEqual(
    body.attendees.map(({ name }: { name: string }) => name),
    fields.attendees.map(({ name }) => name),
  )
})

test('attendees who do not exist or are inactive are refused with their ids', async () => {
  const gone = await newPerson()
  await portal.admin.patch(`/users/${gone.id}`, { isActive: false })
  const attendees = [gone.id, 2147483647, portal.admin.id, gone.id].map((userId) => ({ name: 'Someone', userId }))
  const { id } = await newMeeting()
  for (const send of [
    () => portal.admin.post(MEETINGS, { date: DAY, titleEn: 'Budget', attendees }),
    () => portal.admin.patch(`${MEETINGS}/${id}`, { attendees }),
  ]) {
    const { status, body } = await send()
    assert.deepEqual([status, body.code, body.unknownIds], [400, 'unknown_ids', [gone.id, 2147483647]])
  }
})

test('an attendee who was deactivated later stays and can be sent again', async () => {
  const leaver = await newPerson()
  const { id, attendees } = await newMeeting({ attendees: [{ name: 'Leaver', userId: leaver.id }] })
  await portal.admin.patch(`/users/${leaver.id}`, { isActive: false })
  const { status, body } = await portal.admin.patch(`${MEETINGS}/${id}`, { attendees: [...attendees, { name: 'Ann' }] })
  assert.equal(status, 200)
  assert.deepEqual(
    body.attendees.map(({ name, userId }: { name: string; userId: number }) => [name, userId]),
    [
      ['Leaver', leaver.id],
      ['Ann', null],
    ],
  )
  const copy = await portal.admin.post(`${MEETINGS}/${id}/duplicate`, { date: DAY })
  assert.equal(copy.status, 201)
  assert.equal(copy.body.attendees[0].userId, leaver.id)
})

test('a change is recorded with the whole meeting before and after it', async () => {
  const before = await newMeeting({ attendees: [{ name: 'Ann' }] })
  let after!: MadeMeeting
  const traces = await portal.traces(async () => {
    const answer = await who('executive_coord_lead').patch(`${MEETINGS}/${before.id}`, { notes: 'Bring the plan', isHighlighted: true })
    assert.equal(answer.status, 200)
    after = alone(answer.body)
  })
  assert.deepEqual(after, { ...before, notes: 'Bring the plan', isHighlighted: true, updatedAt: after.updatedAt })
  assert.ok(after.updatedAt > before.updatedAt)
  assert.deepEqual(traces, {
    ...silence,
    audit: [{ action: 'meeting.update', type: 'meeting', target: before.id, metadata: { before, after } }],
    events: changedDays(executives(), DAY),
  })
})

test('a change that changes nothing writes nothing', async () => {
  const meeting = await newMeeting({ locationEn: 'Hall', attendees: [{ name: 'Ann', title: 'Head' }, { name: 'Bob' }] })
  const { id: _id, createdBy: _by, createdAt: _at, updatedAt: _then, ...fields } = meeting
  for (const patch of [{}, fields, { locationEn: ' Hall ' }, { locationAr: '' }, { nonsense: 1 }])
    assert.deepEqual(
      await portal.traces(async () => {
        const { status, body } = await portal.admin.patch(`${MEETINGS}/${meeting.id}`, patch)
        assert.deepEqual([status, alone(body)], [200, meeting])
      }),
      silence,
    )
})

test('attendees are replaced together, in the given order', async () => {
  const { id } = await newMeeting({ attendees: [{ name: 'Ann' }, { name: 'Bob' }] })
  const names = async (attendees: object[]) =>
    (await portal.admin.patch(`${MEETINGS}/${id}`, { attendees })).body.attendees.map(({ name }: { name: string }) => name)
  assert.deepEqual(await names([{ name: 'Bob' }, { name: 'Cy' }, { name: 'Ann' }]), ['Bob', 'Cy', 'Ann'])
  assert.deepEqual(await names([]), [])
})

test('a change is checked together with the unchanged fields', async () => {
  const { id } = await newMeeting({ startTime: '09:00', endTime: '10:00', titleAr: null, titleEn: 'Budget' })
  const paths = async (patch: object) => {
    const { status, body } = await portal.admin.patch(`${MEETINGS}/${id}`, patch)
    assert.equal(status, 400, JSON.stringify(body))
    return body.details.map(({ path }: { path: string }) => path)
  }
  assert.deepEqual(await paths({ startTime: '10:00' }), ['endTime'])
  assert.deepEqual(await paths({ endTime: '08:00' }), ['endTime'])
  assert.deepEqual(await paths({ titleEn: '' }), ['titleAr', 'titleEn'])
  assert.equal(
    (await portal.admin.patch(`${MEETINGS}/${id}`, { startTime: '10:00', endTime: '11:00', titleEn: '', titleAr: 'ميزانية' })).status,
    200,
  )
})

test('moving a meeting announces both days', async () => {
  const { id } = await newMeeting()
  const { events } = await portal.traces(() => portal.admin.patch(`${MEETINGS}/${id}`, { date: '2030-05-02' }))
  assert.deepEqual(events, changedDays(executives(), DAY, '2030-05-02'))
})

test('a deleted meeting is not found but stays in the log', async () => {
  const before = await newMeeting({ attendees: [{ name: 'Ann' }] })
  const traces = await portal.traces(async () => {
    assert.equal((await who('executive_office_manager').delete(`${MEETINGS}/${before.id}`)).status, 204)
  })
  assert.deepEqual(traces, {
    ...silence,
    audit: [{ action: 'meeting.delete', type: 'meeting', target: before.id, metadata: { before, after: null } }],
    events: changedDays(executives(), DAY),
  })
  assert.deepEqual(await portal.sql('select id from meeting_attendees where meeting_id = $1', [before.id]), [])
})

test('every operation on an unknown meeting is refused with 404', async () => {
  const { id } = await newMeeting()
  await portal.admin.delete(`${MEETINGS}/${id}`)
  for (const gone of [id, 2147483647])
    for (const answer of [
      await portal.admin.get(`${MEETINGS}/${gone}`),
      await portal.admin.patch(`${MEETINGS}/${gone}`, { titleEn: 'Other' }),
      await portal.admin.delete(`${MEETINGS}/${gone}`),
      await portal.admin.post(`${MEETINGS}/${gone}/duplicate`, { date: DAY }),
    ])
      assert.deepEqual([answer.status, answer.body.code], [404, 'not_found'])
  for (const nonsense of ['0', '-1', '1.5', 'x', '2147483648'])
    assert.equal((await portal.admin.get(`${MEETINGS}/${nonsense}`)).status, 400)
})

test('deleting a meeting deletes its requests and detaches its tasks, each recorded', async () => {
  const meeting = await newMeeting()
  const asked = await who('executive_coordinator').post(`${MEETINGS}/${meeting.id}/requests`, { type: 'note', details: { text: 'Why?' } })
  const assignee = await newPerson({ roles: ['executive_viewer'] })
  const fields = { titleEn: 'Draft', meetingId: meeting.id, assigneeId: assignee.id }
  const { assignee: _, ...task } = (await portal.admin.post(`${MEETINGS}/tasks`, fields)).body
  const traces = await portal.traces(() => portal.admin.delete(`${MEETINGS}/${meeting.id}`))
  assert.deepEqual(
    traces.audit.map(({ action, target }) => [action, target]),
    [
      ['meeting.delete', meeting.id],
      ['meeting_request.delete', asked.body.id],
      ['meeting_task.update', task.id],
    ],
  )
  const [, , { metadata }] = traces.audit as [unknown, unknown, { metadata: { before: object; after: { updatedAt: string } } }]
  assert.deepEqual(metadata, { before: task, after: { ...task, meetingId: null, updatedAt: metadata.after.updatedAt } })
  assert.deepEqual(notified(traces.notices), [
    [who('executive_coordinator').id, 'Your request was deleted with its meeting'],
    [assignee.id, 'One of your tasks changed'],
  ])
  assert.deepEqual(await portal.sql('select id from meeting_requests where id = $1', [asked.body.id]), [])
  assert.deepEqual(await portal.sql('select meeting_id from meeting_tasks where id = $1', [task.id]), [{ meeting_id: null }])
})
