/** The module's log, which shows a part of the audit log. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { DAY, MEETINGS, TASKS } from '../../../../test/meetings.ts'
import { seededPortal } from '../../../../test/seed.ts'

const { org, make, seeded, meeting: newMeeting } = seededPortal()

interface Entry {
  refs: { users?: Record<number, { username: string }>; meetings?: Record<number, { titleAr: string | null; titleEn: string | null }> }
  id: number
  entityKind: string
  entityId: number
  action: string
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
  createdAt: string
  actor: { id: number; username: string }
}
const LOG = `${MEETINGS}/audit-logs`
const read = async (query = '') =>
  (await org.maha.get(`${LOG}?${query}`)).body as { entries: Entry[]; totalCount: number; nextOffset: number | null }
const linesOf = ({ entries }: { entries: Entry[] }) =>
  entries.map(({ entityKind, entityId, action }) => `${entityKind} ${entityId} ${action}`)

let meeting: { id: number; [field: string]: unknown }
let [taskId, copyId] = [0, 0]
/** One change of each kind, most of them by Tariq, among changes to other parts of the portal. */
before(async () => {
  await seeded
  const { conflicts: _, ...made } = await newMeeting()
  meeting = made
  await org.tariq.patch(`${MEETINGS}/${meeting.id}`, { notes: 'Bring the plan' })
  taskId = (await org.tariq.post(TASKS, { titleEn: 'Draft', meetingId: meeting.id })).body.id
  await org.admin.patch(`${TASKS}/${taskId}`, { status: 'done' })
  await make.newService()
  await org.tariq.delete(`${TASKS}/${taskId}`)
  copyId = (await org.tariq.post(`${MEETINGS}/${meeting.id}/duplicate`, { date: '2030-06-01' })).body.id
  await org.tariq.put(`${MEETINGS}/order`, { date: DAY, ids: [meeting.id] })
  await org.tariq.delete(`${MEETINGS}/${copyId}`)
})

test('the module’s log has every change of its records and no other, newest first', async () => {
  const page = await read()
  assert.deepEqual(linesOf(page), [
    `meeting ${copyId} delete`,
    `meeting ${meeting.id} reorder`,
    `meeting ${copyId} duplicate`,
    `task ${taskId} delete`,
    `task ${taskId} update`,
    `task ${taskId} create`,
    `meeting ${meeting.id} update`,
    `meeting ${meeting.id} create`,
  ])
  assert.deepEqual([page.totalCount, page.nextOffset], [8, null])
})

test('an entry has the record before and after, and the person who changed it', async () => {
  const { entries } = await read(`entityKind=meeting&entityId=${meeting.id}&action=update`)
  assert.equal(entries.length, 1)
  const [{ id, createdAt, actor, after, ...entry }] = entries as [Entry]
  assert.deepEqual(entry, { entityKind: 'meeting', entityId: meeting.id, action: 'update', before: meeting, revertOf: null, refs: {} })
  assert.deepEqual(after, { ...meeting, notes: 'Bring the plan', updatedAt: after!['updatedAt'] })
  assert.ok(id > 0 && Date.parse(createdAt))
  assert.deepEqual([actor.id, actor.username], [org.tariq.id, org.tariq.username])
})

test('the module’s log shows rows of the portal’s audit log', async () => {
  const { entries } = (await org.admin.get(`/admin/audit-logs?targetType=meeting_task&targetId=${taskId}`)).body
  assert.deepEqual(
    entries.map(({ action }: { action: string }) => action),
    ['meeting_task.delete', 'meeting_task.update', 'meeting_task.create'],
  )
  const [ours] = (await read('entityKind=task')).entries
  const { id, metadata } = entries[0]
  assert.deepEqual([id, metadata], [ours!.id, { before: ours!.before, after: ours!.after }])
})

test('each filter, alone and in combination, selects and counts the matching entries', async () => {
  const all = (await read()).entries
  const [from, to] = [all.at(-1)!, all[0]!].map(({ createdAt }) => createdAt.slice(0, 10))
  const filters: [query: string, fits: (entry: Entry) => boolean][] = [
    ['entityKind=task', ({ entityKind }) => entityKind === 'task'],
    ['entityKind=pdf_archive', () => false],
    [`entityId=${meeting.id}`, ({ entityId }) => entityId === meeting.id],
    [`entityKind=task&entityId=${taskId}`, ({ entityKind, entityId }) => entityKind === 'task' && entityId === taskId],
    ['action=create', ({ action }) => action === 'create'],
    ['action=meeting.create', () => false],
    ['action=%25', () => false],
    [`actorUserId=${org.tariq.id}`, ({ actor }) => actor.id === org.tariq.id],
    [`actorUserId=${org.admin.id}&action=update`, ({ actor, action }) => actor.id === org.admin.id && action === 'update'],
    [`from=${from}`, () => true],
    [`from=${from}&to=${to}&action=delete`, ({ action }) => action === 'delete'],
    ['to=2000-01-01', () => false],
  ]
  for (const [query, fits] of filters) {
    const page = await read(query)
    assert.deepEqual(linesOf(page), linesOf({ entries: all.filter(fits) }), query)
    assert.equal(page.totalCount, all.filter(fits).length, query)
  }
})

test('the pages of the log together are the whole log', async () => {
  const all = linesOf(await read())
  const pages = []
  for (let offset: number | null = 0; offset !== null; ) {
    const page = await read(`limit=3&offset=${offset}`)
    pages.push(linesOf(page))
    offset = page.nextOffset
  }
  assert.deepEqual(
    pages.map((page) => page.length),
    [3, 3, 2],
  )
  assert.deepEqual(pages.flat(), all)
})

test('a page after the end of the log is empty', async () => {
  const beyond = await read('offset=2147483647')
  assert.deepEqual([beyond.entries, beyond.totalCount, beyond.nextOffset], [[], 8, null])
})

for (const [query, path] of [
  ['entityKind=meeting_task', 'entityKind'],
  ['entityId=0', 'entityId'],
  ['actorUserId=x', 'actorUserId'],
  ['from=2030-02-30', 'from'],
  ['from=2030-02-02&to=2030-02-01', 'from'],
  ['limit=201', 'limit'],
  ['limit=0', 'limit'],
  ['offset=-1', 'offset'],
])
  test(`reading the log with ${query} is refused with a detail for ${path}`, async () => {
    const { status, body } = await org.admin.get(`${LOG}?${query}`)
    assert.deepEqual([status, body.details?.[0].path], [400, path])
  })

test('an entry has the names of its people, even of those deleted since', async () => {
  const person = await make.newPerson({ roles: ['executive_viewer'] })
  const { id } = (await org.tariq.post(TASKS, { titleEn: 'Draft', assigneeId: person.id })).body
  await org.tariq.patch(`${TASKS}/${id}`, { assigneeId: org.faisal.id })
  await org.admin.delete(`/users/${person.id}`)
  const { entries } = await read(`entityKind=task&entityId=${id}`)
  assert.deepEqual(
    entries.map(({ refs }) => [refs.users?.[person.id]?.username, refs.users?.[org.faisal.id]?.username]),
    [
      [person.username, org.faisal.username],
      [person.username, undefined],
    ],
  )
})

test('an entry of a request or a task has the titles of its meeting at that time, even if the meeting was renamed or deleted since', async () => {
  const { id } = await newMeeting({ titleAr: null, titleEn: 'Budget' })
  const { id: requestId } = (await org.noura.post(`${MEETINGS}/${id}/requests`, { type: 'note', details: { text: 'Bring the plan' } })).body
  await org.tariq.patch(`${MEETINGS}/${id}`, { titleEn: 'Plan' })
  await org.noura.patch(`${MEETINGS}/requests/${requestId}`, { action: 'withdraw' })
  await org.tariq.patch(`${MEETINGS}/${id}`, { titleEn: 'Review' })
  const titles = async () =>
    (await read(`entityKind=request&entityId=${requestId}`)).entries.map(({ refs }) => refs.meetings?.[id]?.titleEn)
  assert.deepEqual(await titles(), ['Plan', 'Budget'])
  await org.tariq.delete(`${MEETINGS}/${id}`)
  assert.deepEqual(await titles(), ['Review', 'Plan', 'Budget'])
})
