/** The module's own view of the audit log. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers } from '../../../test/makers.ts'
import { DAY, MEETINGS, meetingPortal, TASKS } from '../../../test/meetings.ts'
import { testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const { newService } = makers(portal)
const { who, newMeeting, newTask, whenReady } = meetingPortal(portal)

interface Entry {
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
  (await who('executive_ceo').get(`${LOG}?${query}`)).body as { entries: Entry[]; totalCount: number; nextOffset: number | null }
const lines = ({ entries }: { entries: Entry[] }) =>
  entries.map(({ entityKind, entityId, action }) => `${entityKind} ${entityId} ${action}`)

let furnished: ReturnType<typeof furnish> | undefined
/** One of each kind of change, oldest first, among changes of other parts of the portal. */
async function furnish() {
  await whenReady()
  const editor = who('executive_office_manager')
  await newService()
  const meeting = await newMeeting({}, editor)
  await editor.patch(`${MEETINGS}/${meeting.id}`, { notes: 'Bring the plan' })
  const task = await newTask({ meetingId: meeting.id }, editor)
  await portal.admin.patch(`${TASKS}/${task.id}`, { status: 'done' })
  await newService()
  await editor.delete(`${TASKS}/${task.id}`)
  const { body: copy } = await editor.post(`${MEETINGS}/${meeting.id}/duplicate`, { date: '2030-06-01' })
  await editor.put(`${MEETINGS}/order`, { date: DAY, ids: [meeting.id] })
  await editor.delete(`${MEETINGS}/${copy.id}`)
  return { editor, meeting, task, copy }
}
const whenFurnished = () => (furnished ??= furnish())

test('the module’s log holds every change of its records and nothing else, newest first', async () => {
  const { meeting, task, copy } = await whenFurnished()
  const page = await read()
  assert.deepEqual(lines(page), [
    `meeting ${copy.id} delete`,
    `meeting ${meeting.id} reorder`,
    `meeting ${copy.id} duplicate`,
    `task ${task.id} delete`,
    `task ${task.id} update`,
    `task ${task.id} create`,
    `meeting ${meeting.id} update`,
    `meeting ${meeting.id} create`,
  ])
  assert.deepEqual([page.totalCount, page.nextOffset], [8, null])
})

test('an entry has the record before and after, and who did it', async () => {
  const { editor, meeting } = await whenFurnished()
  const { entries } = await read(`entityKind=meeting&entityId=${meeting.id}&action=update`)
  assert.equal(entries.length, 1)
  const [{ id, createdAt, actor, after, ...entry }] = entries as [Entry]
  assert.deepEqual(entry, { entityKind: 'meeting', entityId: meeting.id, action: 'update', before: meeting })
  assert.deepEqual(after, { ...meeting, notes: 'Bring the plan', updatedAt: after!['updatedAt'] })
  assert.ok(id > 0 && Date.parse(createdAt))
  assert.deepEqual([actor.id, actor.username], [editor.id, editor.username])
})

test('the module’s log shows rows of the portal’s audit log', async () => {
  const { task } = await whenFurnished()
  const { entries } = (await portal.admin.get(`/admin/audit-logs?targetType=meeting_task&targetId=${task.id}`)).body
  assert.deepEqual(
    entries.map(({ action }: { action: string }) => action),
    ['meeting_task.delete', 'meeting_task.update', 'meeting_task.create'],
  )
  const [ours] = (await read('entityKind=task')).entries
  const { id, metadata } = entries[0]
  assert.deepEqual([id, metadata], [ours!.id, { before: ours!.before, after: ours!.after }])
})

test('every filter, alone and with the others, selects and counts what it names', async () => {
  const { editor, meeting, task } = await whenFurnished()
  const today = new Date().toISOString().slice(0, 10)
  const all = (await read()).entries
  const filters: [query: string, fits: (entry: Entry) => boolean][] = [
    ['entityKind=task', ({ entityKind }) => entityKind === 'task'],
    ['entityKind=pdf_archive', () => false],
    [`entityId=${meeting.id}`, ({ entityId }) => entityId === meeting.id],
    [`entityKind=task&entityId=${task.id}`, ({ entityKind, entityId }) => entityKind === 'task' && entityId === task.id],
    ['action=create', ({ action }) => action === 'create'],
    ['action=meeting.create', () => false],
    ['action=%25', () => false],
    [`actorUserId=${editor.id}`, ({ actor }) => actor.id === editor.id],
    [`actorUserId=${portal.admin.id}&action=update`, ({ actor, action }) => actor.id === portal.admin.id && action === 'update'],
    [`from=${today}`, () => true],
    [`from=${today}&to=${today}&action=delete`, ({ action }) => action === 'delete'],
    ['to=2000-01-01', () => false],
  ]
  for (const [query, fits] of filters) {
    const page = await read(query)
    assert.deepEqual(lines(page), lines({ entries: all.filter(fits) }), query)
    assert.equal(page.totalCount, all.filter(fits).length, query)
  }
})

test('the pages of the log follow one another', async () => {
  await whenFurnished()
  const all = lines(await read())
  const pages = []
  for (let offset: number | null = 0; offset !== null; ) {
    const page = await read(`limit=3&offset=${offset}`)
    pages.push(lines(page))
    offset = page.nextOffset
  }
  assert.deepEqual(
    pages.map((page) => page.length),
    [3, 3, 2],
  )
  assert.deepEqual(pages.flat(), all)
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
  test(`asking for the log with ${query} is refused with a detail for ${path}`, async () => {
    await whenReady()
    const { status, body } = await portal.admin.get(`${LOG}?${query}`)
    assert.deepEqual([status, body.details?.[0].path], [400, path])
  })
