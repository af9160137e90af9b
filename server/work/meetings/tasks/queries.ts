import { sql } from 'kysely'
import { lockExistingPeople } from '../../../people/users/queries.ts'
import { batchesOf } from '../../../platform/database/batches.ts'
import type { Reads, Tx } from '../../../platform/database/db.ts'
import { personJson } from '../../../platform/database/json.ts'
import { refuseUnknown } from '../../../platform/database/sets.ts'
import { refuse } from '../../../platform/errors/refusal.ts'
import { countsOf } from '../../../platform/http/page.ts'
import type { TaskStatus } from '../../../platform/tables.ts'
import { checkExecutives } from '../meetings/queries.ts'
import { checkTask } from './rules.ts'
import { type Person, statuses, type TaskChanges, TaskFields, type TaskRecord, type TaskView } from './shapes.ts'

interface TaskFilter {
  date?: string
  assigneeId?: number
  status?: TaskStatus
}
/** The tasks of a day (due on it, or of a meeting on it), of an assignee, with a status, or all. */
const tasksOf = (db: Reads, { date, assigneeId, status }: TaskFilter) =>
  db
    .selectFrom('meetingTasks')
    .$if(date !== undefined, (tasks) =>
      tasks.where(
        'id',
        'in',
        sql<number>`(select id from meeting_tasks where due_date = ${date!}::date
          union select t.id from meetings join meeting_tasks as t on t.meeting_id = meetings.id where meetings.date = ${date!}::date)`,
      ),
    )
    .$if(assigneeId !== undefined, (tasks) => tasks.where('assigneeId', '=', assigneeId!))
    .$if(status !== undefined, (tasks) => tasks.where('status', '=', status!))

/** The number of these tasks of each status. */
export const countTasks = async (db: Reads, filter: TaskFilter) =>
  countsOf(
    statuses,
    await tasksOf(db, filter)
      .select(['status', sql<number>`count(*)`.as('count')])
      .groupBy('status')
      .execute(),
  ).counts

/** The assignee of a task, even if they have lost access. */
const ASSIGNEE = sql
  .raw<Person | null>(`(select ${personJson('assignee')} from users as assignee where assignee.id = meeting_tasks.assignee_id)`)
  .as('assignee')

/** The tasks by due date; those without one come last. */
export const listTasks = (db: Reads, filter: TaskFilter) =>
  batchesOf<TaskView, TaskView>({
    read: (after, rows) =>
      tasksOf(db, filter)
        .selectAll()
        .select(ASSIGNEE)
        .$if(after !== null, (tasks) =>
          tasks.where(sql<boolean>`(${DUE}, id) > (coalesce(${after!.dueDate}::date, 'infinity'), ${after!.id}::int)`),
        )
        .orderBy(DUE)
        .orderBy('id')
        .limit(rows)
        .execute(),
    keyOf: (task) => task,
    sizeOf: ({ details }) => 700 + (details?.length ?? 0),
  })

/** Tasks without a due date come last. */
const DUE = sql`coalesce(due_date, 'infinity'::date)`

/** Refuses `not_found`. */
export const readTask = async (db: Reads, id: number): Promise<TaskView> =>
  (await db.selectFrom('meetingTasks').selectAll().select(ASSIGNEE).where('id', '=', id).executeTakeFirst()) ?? refuse('not_found')

/** Locks a task until the transaction ends. Refuses `not_found`. */
export const lockTask = async (tx: Tx, id: number): Promise<TaskView> =>
  (await tx.selectFrom('meetingTasks').selectAll().select(ASSIGNEE).where('id', '=', id).forUpdate().executeTakeFirst()) ??
  refuse('not_found')

/** Prevents the deletion of meetings until the transaction ends. Call it before locking tasks, as deletions do. Refuses `unknown_ids`. */
export async function lockMeetings(tx: Tx, ids: readonly (number | null | undefined)[]) {
  const wanted = ids.flatMap((id) => id ?? [])
  if (wanted.length) {
    const { rows } = await sql<{ id: number }>`
      select id from meetings where id = any(${wanted}::int[]) order by id for key share`.execute(tx)
    refuseUnknown(wanted, rows)
  }
}

/** The days of these meetings, each once, ascending. */
export async function datesOf(db: Reads, meetingIds: readonly (number | null)[]) {
  const ids = meetingIds.flatMap((id) => id ?? [])
  const { rows } = await sql<{ date: string }>`select distinct date from meetings where id = any(${ids}::int[]) order by date`.execute(db)
  return rows.map(({ date }) => date)
}

/** The columns that `fields` sets; empty texts become null. */
function columnsOf(fields: TaskChanges): TaskChanges {
  const given = Object.entries(fields).filter(([name, value]) => name in TaskFields.properties && value !== undefined)
  return Object.fromEntries(given.map(([name, value]) => [name, value === '' ? null : value]))
}

/** Refuses `unknown_ids` for a missing or inactive assignee, and `not_executive` for one without executive access. */
async function lockAssignee(tx: Tx, id: number | null | undefined) {
  const ids = id ? [id] : []
  await lockExistingPeople(tx, ids)
  if (ids.length) await checkExecutives(tx, ids)
}

/** Creates a task. Refuses what `checkTask` and `lockAssignee` refuse, and `unknown_ids` for an unknown meeting. */
export async function addTask(tx: Tx, fields: TaskChanges, createdBy: number): Promise<TaskView> {
  checkTask(columnsOf(fields))
  await lockMeetings(tx, [fields.meetingId])
  await lockAssignee(tx, fields.assigneeId)
  return tx
    .insertInto('meetingTasks')
    .values({ ...columnsOf(fields), createdBy })
    .returningAll()
    .returning(ASSIGNEE)
    .executeTakeFirstOrThrow()
}

/** Whether a patch changes nothing. */
export const isSame = (before: TaskRecord, patch: TaskChanges) =>
  Object.entries(columnsOf(patch)).every(([name, value]) => before[name as keyof TaskRecord] === value)

/** Changes a locked task; returns the new state. The former assignee may be inactive. */
export async function setTask(tx: Tx, before: TaskView, patch: TaskChanges): Promise<TaskView> {
  const columns = columnsOf(patch)
  checkTask({ ...before, ...columns })
  const { assigneeId } = columns
  if (assigneeId !== before.assigneeId) await lockAssignee(tx, assigneeId)
  return tx
    .updateTable('meetingTasks')
    .set({ ...columns, updatedAt: sql<Date>`clock_timestamp()` })
    .where('id', '=', before.id)
    .returningAll()
    .returning(ASSIGNEE)
    .executeTakeFirstOrThrow()
}

export const removeTask = (tx: Tx, id: number) => tx.deleteFrom('meetingTasks').where('id', '=', id).execute()

/** Detaches the tasks of a locked meeting; returns each before and after. */
export async function releaseTasks(tx: Tx, meetingId: number) {
  const held: TaskRecord[] = await tx
    .selectFrom('meetingTasks')
    .selectAll()
    .where('meetingId', '=', meetingId)
    .orderBy('id')
    .forUpdate()
    .execute()
  const released: TaskRecord[] = await tx
    .updateTable('meetingTasks')
    .set({ meetingId: null, updatedAt: sql<Date>`clock_timestamp()` })
    .where('meetingId', '=', meetingId)
    .returningAll()
    .execute()
  const after = new Map(released.map((task) => [task.id, task]))
  return held.map((before) => ({ before, after: after.get(before.id)! }))
}

/** Locks the tasks that a person created or is assigned to. Call it before locking the person, as changes of tasks do. */
export const lockTasksAround = (tx: Tx, personId: number) =>
  sql`select from meeting_tasks where created_by = ${personId} or assignee_id = ${personId} order by id for update`.execute(tx)
