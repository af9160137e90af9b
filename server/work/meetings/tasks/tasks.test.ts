import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idsIn, makers, silence } from '../../../../test/makers.ts'
import { changedDays, DAY, type MadeTask, meetingPortal, notified, otherEvents, recorded, TASKS } from '../../../../test/meetings.ts'
import { type Client, testPortal } from '../../../../test/portal.ts'

const portal = testPortal()
const { newPerson } = makers(portal)
const { who, executives, newMeeting, newTask, whenReady } = meetingPortal(portal)
const refusal = ({ status, body }: { status: number; body: { code: string } }) => [status, body.code]

test('creating a task stores all of its fields, notifies the assignee, and sends its days to everyone with executive access', async () => {
  await whenReady()
  const [author, assignee, meeting] = [who('executive_coordinator'), who('executive_viewer'), await newMeeting()]
  const fields = {
    meetingId: meeting.id,
    titleAr: 'المسودة',
    titleEn: 'Draft',
    details: 'First line\nsecond line',
    assigneeId: assignee.id,
    dueDate: '2030-05-07',
    status: 'in_progress',
  }
  let made!: MadeTask
  const traces = await portal.traces(async () => {
    const answer = await author.post(TASKS, { ...fields, id: 99, createdBy: 1 })
    assert.equal(answer.status, 201, answer.text)
    made = answer.body
  })
  const { id, createdAt, updatedAt, assignee: named, ...stored } = made as MadeTask & { createdAt: string; updatedAt: string }
  assert.deepEqual(stored, { ...fields, createdBy: author.id })
  assert.deepEqual([named?.id, named?.username], [assignee.id, assignee.username])
  assert.ok(Date.parse(createdAt) && createdAt === updatedAt)
  assert.deepEqual(traces.audit, [
    { action: 'meeting_task.create', type: 'meeting_task', target: id, metadata: { before: null, after: recorded(made) } },
  ])
  assert.deepEqual(notified(traces.notices), [[assignee.id, 'You have a new task']])
  assert.deepEqual(otherEvents(traces.events), changedDays(executives(), DAY, '2030-05-07'))
  const { titleAr, bodyAr, bodyEn, type, relatedType, relatedId } = (await assignee.get('/notifications')).body[0]
  assert.deepEqual(
    { titleAr, bodyAr, bodyEn, type, relatedType, relatedId },
    {
      titleAr: 'أُسندت إليك مهمة',
      bodyAr: 'أُسندت إليك المهمة «المسودة»، وموعدها الثلاثاء، 7 مايو 2030 (4 محرم 1452 هـ).',
      bodyEn: 'You have a new task: “Draft”, due Tuesday, 7 May 2030 (4 Muharram 1452 AH).',
      type: 'meeting',
      relatedType: 'meeting_task',
      relatedId: id,
    },
  )
})

test('a task needs only a title, and blank texts become null', async () => {
  const traces = await portal.traces(async () => {
    const {
      id: _,
      createdAt: _at,
      updatedAt: _then,
      ...fields
    } = (await newTask({ titleAr: ' ', details: '' })) as MadeTask & Record<string, unknown>
    assert.deepEqual(fields, {
      meetingId: null,
      titleAr: null,
      titleEn: 'Draft',
      details: null,
      assigneeId: null,
      assignee: null,
      dueDate: null,
      status: 'open',
      createdBy: portal.admin.id,
    })
  })
  // The task has no day, but open pages still get an event.
  assert.deepEqual([traces.notices, traces.events], [[], changedDays(executives(), null)])
})

const unfit: [what: string, fields: object, ...paths: string[]][] = [
  ['no title', { titleEn: null }, 'titleAr', 'titleEn'],
  ['a title of invisible characters', { titleEn: '\u200f' }, 'titleEn'],
  ['a title too long', { titleEn: 'x'.repeat(301) }, 'titleEn'],
  ['details too long', { details: 'x'.repeat(5001) }, 'details'],
  ['a day that is not in the calendar', { dueDate: '2030-02-30' }, 'dueDate'],
  ['a day in another format', { dueDate: '1/2/2030' }, 'dueDate'],
  ['an unknown status', { status: 'late' }, 'status'],
  ['an assignee that is not an id', { assigneeId: 'huda' }, 'assigneeId'],
  ['a meeting that is not an id', { meetingId: 0 }, 'meetingId'],
]
for (const [what, fields, ...paths] of unfit)
  test(`${what} is refused with a detail for the field, in a new task and in a change`, async () => {
    const { id } = await newTask({ titleAr: null })
    for (const send of [
      () => portal.admin.post(TASKS, { titleEn: 'Draft', ...fields }),
      () => portal.admin.patch(`${TASKS}/${id}`, fields),
    ])
      assert.deepEqual(
        await portal.traces(async () => {
          const { status, body } = await send()
          assert.deepEqual([status, body.details?.map(({ path }: { path: string }) => path)], [400, paths])
        }),
        silence,
      )
  })

test('unknown meetings, and assignees who do not exist or are inactive, are refused with their ids', async () => {
  const left = await newPerson()
  await portal.admin.patch(`/users/${left.id}`, { isActive: false })
  const { id } = await newTask()
  for (const fields of [{ assigneeId: left.id }, { assigneeId: 2147483647 }, { meetingId: 2147483647 }])
    for (const answer of [
      await portal.admin.post(TASKS, { titleEn: 'Draft', ...fields }),
      await portal.admin.patch(`${TASKS}/${id}`, fields),
    ])
      assert.deepEqual([...refusal(answer), answer.body.unknownIds], [400, 'unknown_ids', Object.values(fields)])
})

test('a task can be assigned only to people with executive access, and stays with an assignee who loses it', async () => {
  const [outsider, former] = [await newPerson(), await newPerson({ roles: ['executive_viewer'] })]
  const { id } = await newTask({ assigneeId: former.id })
  const traces = await portal.traces(async () => {
    for (const answer of [
      await portal.admin.post(TASKS, { titleEn: 'Draft', assigneeId: outsider.id }),
      await portal.admin.patch(`${TASKS}/${id}`, { assigneeId: outsider.id }),
    ])
      assert.deepEqual([...refusal(answer), answer.body.unknownIds], [400, 'not_executive', [outsider.id]])
  })
  assert.deepEqual(traces, silence)
  await portal.admin.delete(`/users/${former.id}/roles/executive_viewer`)
  assert.equal((await portal.admin.patch(`${TASKS}/${id}`, { assigneeId: former.id, status: 'done' })).body.assigneeId, former.id)
})

test('a change is recorded with the whole task before and after, and one that changes nothing writes nothing', async () => {
  const before = await newTask({ dueDate: DAY, details: 'All of it' })
  let after!: MadeTask & { updatedAt: string }
  const traces = await portal.traces(async () => {
    after = (await who('executive_office_manager').patch(`${TASKS}/${before.id}`, { details: '', dueDate: '2030-05-02' })).body
  })
  assert.deepEqual(after, { ...before, details: null, dueDate: '2030-05-02', updatedAt: after.updatedAt })
  const metadata = { before: recorded(before), after: recorded(after) }
  assert.deepEqual(traces, {
    ...silence,
    audit: [{ action: 'meeting_task.update', type: 'meeting_task', target: before.id, metadata }],
    events: changedDays(executives(), DAY, '2030-05-02'),
  })
  for (const patch of [{}, after, { details: ' ' }, { nonsense: 1 }])
    assert.deepEqual(
      await portal.traces(async () => assert.deepEqual((await portal.admin.patch(`${TASKS}/${before.id}`, patch)).body, after)),
      silence,
    )
})

test('moving a task from one meeting to another announces both days', async () => {
  const [one, other] = [await newMeeting({ date: '2030-05-02' }), await newMeeting({ date: '2030-05-03' })]
  const { id } = await newTask({ meetingId: one.id })
  const { events } = await portal.traces(() => portal.admin.patch(`${TASKS}/${id}`, { meetingId: other.id }))
  assert.deepEqual(events, changedDays(executives(), '2030-05-02', '2030-05-03'))
})

test('a deleted task is not found but stays in the log', async () => {
  const before = await newTask({ dueDate: DAY })
  const traces = await portal.traces(async () => {
    assert.equal((await who('executive_coord_lead').delete(`${TASKS}/${before.id}`)).status, 204)
  })
  assert.deepEqual(traces, {
    ...silence,
    audit: [
      { action: 'meeting_task.delete', type: 'meeting_task', target: before.id, metadata: { before: recorded(before), after: null } },
    ],
    events: changedDays(executives(), DAY),
  })
  for (const gone of [before.id, 2147483647]) {
    assert.deepEqual(refusal(await portal.admin.patch(`${TASKS}/${gone}`, { status: 'done' })), [404, 'not_found'])
    assert.deepEqual(refusal(await portal.admin.delete(`${TASKS}/${gone}`)), [404, 'not_found'])
  }
})

test('people who may not change meetings may change only the status of the tasks assigned to them', async () => {
  const assignee = await newPerson({ roles: ['executive_viewer'] })
  const { id } = await newTask({ assigneeId: assignee.id })
  const patch = (by: Client, fields: object) => by.patch(`${TASKS}/${id}`, fields)
  assert.equal((await patch(assignee, { status: 'in_progress' })).body.status, 'in_progress')
  for (const fields of [
    { status: 'done', titleEn: 'Mine' },
    { details: null },
    { assigneeId: null },
    { dueDate: DAY },
    { meetingId: 2147483647 },
  ])
    assert.deepEqual(await portal.traces(async () => assert.deepEqual(refusal(await patch(assignee, fields)), [403, 'forbidden'])), silence)
  assert.deepEqual(refusal(await assignee.delete(`${TASKS}/${id}`)), [403, 'forbidden'])
  assert.deepEqual(refusal(await patch(assignee, { status: 'late' })), [400, 'validation_failed'])
  for (const by of [who('executive_viewer'), who('executive_ceo'), who('passer-by'), who('at_large')])
    assert.deepEqual(refusal(await patch(by, { status: 'done' })), [403, 'forbidden'])
  await portal.admin.delete(`/users/${assignee.id}/roles/executive_viewer`)
  assert.deepEqual(refusal(await patch(assignee, { status: 'done' })), [403, 'forbidden'])
  for (const by of [who('executive_coordinator'), who('executive_coord_lead'), who('executive_office_manager'), portal.admin])
    assert.equal((await patch(by, { status: 'done' })).status, 200)
})

test('a former assignee can no longer change the task', async () => {
  const assignee = await newPerson({ roles: ['executive_viewer'] })
  const { id } = await newTask({ assigneeId: assignee.id })
  await portal.admin.patch(`${TASKS}/${id}`, { assigneeId: null })
  assert.deepEqual(refusal(await assignee.patch(`${TASKS}/${id}`, { status: 'done' })), [403, 'forbidden'])
})

interface NotifyingCase {
  what: string
  act: (by: Record<'author' | 'assignee' | 'other', Client>, task: string) => Promise<unknown>
  expected: ['author' | 'assignee' | 'other', string][]
}
const notifying: NotifyingCase[] = [
  {
    what: 'a change of a task',
    act: ({ author }, task) => author.patch(task, { dueDate: DAY }),
    expected: [['assignee', 'One of your tasks changed']],
  },
  {
    what: 'a change of status by the author',
    act: ({ author }, task) => author.patch(task, { status: 'done' }),
    expected: [['assignee', 'One of your tasks changed']],
  },
  {
    what: 'a change of status by the assignee',
    act: ({ assignee }, task) => assignee.patch(task, { status: 'done' }),
    expected: [['author', 'The status of a task changed']],
  },
  {
    what: 'a change of status by someone else',
    act: ({ other }, task) => other.patch(task, { status: 'done' }),
    expected: [['assignee', 'One of your tasks changed']],
  },
  {
    what: 'assigning a task to someone else',
    act: ({ author, other }, task) => author.patch(task, { assigneeId: other.id }),
    expected: [
      ['other', 'You have a new task'],
      ['assignee', 'A task is no longer assigned to you'],
    ],
  },
  {
    what: 'removing the assignee of a task',
    act: ({ author }, task) => author.patch(task, { assigneeId: null }),
    expected: [['assignee', 'A task is no longer assigned to you']],
  },
  { what: 'deleting a task', act: ({ author }, task) => author.delete(task), expected: [['assignee', 'One of your tasks was deleted']] },
]
for (const { what, act, expected } of notifying)
  test(`${what} notifies the people concerned`, async () => {
    const role = { roles: ['executive_coordinator'] }
    const by = { author: await newPerson(role), assignee: await newPerson(role), other: await newPerson(role) }
    const { id } = await newTask({ assigneeId: by.assignee.id }, by.author)
    const { notices } = await portal.traces(() => act(by, `${TASKS}/${id}`))
    assert.deepEqual(
      notified(notices),
      expected.map(([name, expected]) => [by[name].id, expected]),
    )
  })

test('people are not notified of their own changes', async () => {
  const author = await newPerson({ roles: ['executive_coordinator'] })
  const { notices } = await portal.traces(async () => {
    const { id } = await newTask({ assigneeId: author.id }, author)
    await author.patch(`${TASKS}/${id}`, { status: 'done' })
    await author.patch(`${TASKS}/${id}`, { assigneeId: null })
    await author.delete(`${TASKS}/${id}`)
  })
  assert.deepEqual(notices, [])
})

test('the tasks of a day are those due on it and those of its meetings, by due date, those without one last', async () => {
  const [meeting, date] = [await newMeeting({ date: '2031-01-02' }), '2031-01-02']
  const assignee = await newPerson({ roles: ['executive_viewer'] })
  const open = await newTask({ meetingId: meeting.id })
  const later = await newTask({ meetingId: meeting.id, dueDate: '2031-01-09', assigneeId: assignee.id })
  const due = await newTask({ dueDate: date, assigneeId: assignee.id })
  const both = await newTask({ meetingId: meeting.id, dueDate: date })
  const elsewhere = await newTask({ dueDate: '2031-01-03', assigneeId: assignee.id })
  const viewer = who('executive_viewer')
  const read = async (query: string) => idsIn(await viewer.get(`${TASKS}?${query}`))
  assert.deepEqual(await read(`date=${date}`), [due.id, both.id, later.id, open.id])
  assert.deepEqual(await read(`assigneeId=${assignee.id}`), [due.id, elsewhere.id, later.id])
  assert.deepEqual(await read(`date=${date}&assigneeId=${assignee.id}`), [due.id, later.id])
  assert.deepEqual(await read(`date=${date}&assigneeId=2147483647`), [])
  const all = await read('')
  assert.deepEqual(
    [due, both, elsewhere, later, open].map(({ id }) => all.indexOf(id)),
    [due, both, elsewhere, later, open].map(({ id }) => all.indexOf(id)).toSorted((one, other) => one - other),
  )
  const unreadable = ['date=2031-02-29', 'date=today', 'assigneeId=0', 'assigneeId=me']
  for (const query of unreadable) {
    const [path] = query.split('=')
    const { status, body } = await viewer.get(`${TASKS}?${query}`)
    assert.deepEqual([status, body.details?.[0].path], [400, path], query)
  }
})
