import { changed, unchanged } from '../../../platform/changes/outcome.ts'
import { command, query } from '../../../platform/http/endpoint.ts'
import { partOf } from '../../../platform/http/page.ts'
import { IdParams, Nothing } from '../../../platform/http/shape.ts'
import { longList } from '../../../platform/http/wire.ts'
import { EXECUTIVE, MUTATE } from '../rules.ts'
import { addTask, countTasks, datesOf, isSame, listTasks, lockMeetings, lockTask, readTask, removeTask, setTask } from './queries.ts'
import { checkPatch, recordOf } from './rules.ts'
import { Task, TaskCounts, TaskCountsQuery, TaskFields, Tasks, TasksQuery } from './shapes.ts'

export const readTasks = query('GET /executive-meetings/tasks', {
  summary: 'Tasks by due date: all, or those of a day, an assignee or a status',
  description: 'Filters are combined.',
  allow: EXECUTIVE,
  scope: 'meetings:read',
  query: TasksQuery,
  reply: Tasks,
  run: ({ db, query }) => longList(Task, partOf(listTasks(db, query), query)),
})

export const countTasksByStatus = query('GET /executive-meetings/tasks/counts', {
  summary: 'The number of tasks of each status: of all, or of those of a day or an assignee',
  description: 'Filters are combined, as in the list.',
  allow: EXECUTIVE,
  scope: 'meetings:read',
  query: TaskCountsQuery,
  reply: TaskCounts,
  run: async ({ db, query }) => ({ counts: await countTasks(db, query) }),
})

export const showTask = query('GET /executive-meetings/tasks/:id', {
  summary: 'One task',
  description: 'It need not belong to a meeting.',
  allow: EXECUTIVE,
  scope: 'meetings:read',
  record: Task,
  params: IdParams,
  reply: Task,
  refuses: ['not_found'],
  run: ({ db, params }) => readTask(db, params.id),
})

export const createTask = command('POST /executive-meetings/tasks', {
  summary: 'Create a task',
  description: 'At least one title is needed. The assignee needs executive access, and is notified.',
  allow: MUTATE,
  scope: 'meetings:mutate',
  record: Task,
  body: TaskFields,
  reply: Task,
  status: 201,
  refuses: ['unknown_ids', 'not_executive'],
  run: async ({ tx, actor, body }) => {
    const after = await addTask(tx, body, actor.id)
    const payload = { dates: await datesOf(tx, [after.meetingId]) }
    return changed(after, { kind: 'meeting_task.created', targetId: after.id, facts: { before: null, after: recordOf(after) }, payload })
  },
})

export const changeTask = command('PATCH /executive-meetings/tasks/:id', {
  summary: 'Change a task; its assignee may change the status',
  description: 'Omitted fields do not change. A new assignee is notified.',
  allow: EXECUTIVE,
  scope: 'meetings:mutate',
  record: Task,
  params: IdParams,
  body: TaskFields,
  reply: Task,
  refuses: ['not_found', 'forbidden', 'unknown_ids', 'not_executive'],
  run: async ({ tx, ifMatch, actor, params: { id }, body }) => {
    const known = await readTask(tx, id)
    checkPatch(known, actor, body)
    // The meeting is judged only for the expected version; the task is locked after it.
    await ifMatch(() => known)
    await lockMeetings(tx, [body.meetingId])
    const before = await lockTask(tx, id)
    checkPatch(before, actor, body)
    await ifMatch(() => before)
    if (isSame(before, body)) return unchanged(before)
    const after = await setTask(tx, before, body)
    const payload = { dates: await datesOf(tx, [before.meetingId, after.meetingId]) }
    return changed(after, {
      kind: 'meeting_task.updated',
      targetId: id,
      facts: { before: recordOf(before), after: recordOf(after) },
      payload,
    })
  },
})

export const deleteTask = command('DELETE /executive-meetings/tasks/:id', {
  summary: 'Delete a task',
  allow: MUTATE,
  scope: 'meetings:mutate',
  record: Task,
  params: IdParams,
  reply: Nothing,
  status: 204,
  refuses: ['not_found'],
  run: async ({ tx, ifMatch, params: { id } }) => {
    const before = await lockTask(tx, id)
    await ifMatch(() => before)
    const payload = { dates: await datesOf(tx, [before.meetingId]) }
    await removeTask(tx, id)
    return changed(null, { kind: 'meeting_task.deleted', targetId: id, facts: { before: recordOf(before), after: null }, payload })
  },
})
