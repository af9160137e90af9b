import type { Actor } from '../../../platform/auth/actor.ts'
import type { Notice, TemplateFor } from '../../../platform/changes/change-kind.ts'
import { refuse, refuseFields } from '../../../platform/errors/refusal.ts'
import type { TaskStatus } from '../../../platform/tables.ts'
import { describeDate } from '../../../platform/text.ts'
import { titleFaults } from '../meetings/rules.ts'
import { MUTATE } from '../rules.ts'
import type { TaskChanges, TaskRecord, TaskView } from './shapes.ts'

/** Refuses a task without a title. */
export function checkTask({ titleAr, titleEn }: TaskChanges) {
  const details = titleFaults({ titleAr, titleEn })
  if (details.length) refuseFields(details)
}

type Asker = Pick<Actor, 'id' | 'mayEnter'>
/** For each group of people, the fields of a task that they may change. */
const rights = [
  { who: (_task: TaskRecord, asker: Asker) => asker.mayEnter(MUTATE), fields: 'all' },
  { who: (task: TaskRecord, asker: Asker) => task.assigneeId === asker.id, fields: ['status'] },
] as const

/** Refuses `forbidden` unless the asker may change every field of the patch. */
export function checkPatch(task: TaskRecord, asker: Asker, patch: TaskChanges) {
  const named = Object.entries(patch).flatMap(([name, value]) => (value === undefined ? [] : [name]))
  const isAllowed = rights.some(
    ({ who, fields }) => who(task, asker) && (fields === 'all' || named.every((name) => (fields as readonly string[]).includes(name))),
  )
  if (!isAllowed) refuse('forbidden')
}

/** A task as its row has it, without its assignee's names. */
export const recordOf = ({ assignee: _, ...record }: TaskView): TaskRecord => record

interface Around {
  before: TaskRecord | null
  after: TaskRecord | null
}
/** The due dates of a task before and after a change. */
export const dueAround = ({ before, after }: Around) => [before, after].flatMap((task) => task?.dueDate ?? [])

const statusNames: Record<TaskStatus, { ar: string; en: string }> = {
  open: { ar: 'مفتوحة', en: 'open' },
  in_progress: { ar: 'قيد التنفيذ', en: 'in progress' },
  done: { ar: 'منجزة', en: 'done' },
  cancelled: { ar: 'ملغاة', en: 'cancelled' },
}
const paramsOf = ({ titleAr, titleEn, dueDate, status }: TaskRecord) => ({
  ar: {
    task: titleAr || titleEn || '',
    due: dueDate ? `، وموعدها ${describeDate(dueDate, 'ar')}` : '',
    status: statusNames[status].ar,
  },
  en: {
    task: titleEn || titleAr || '',
    due: dueDate ? `, due ${describeDate(dueDate, 'en')}` : '',
    status: statusNames[status].en,
  },
})

/** The notices of a change: to the old and new assignee, and to the creator if the assignee changes the status; never to the author. */
export function taskNotices(
  taskId: number,
  { before, after }: Around,
  authorId: number | undefined,
): (Notice & { recipients: number[] })[] {
  const common = { type: 'meeting', relatedType: 'meeting_task', relatedId: taskId, params: paramsOf((after ?? before)!) } as const
  const [had, has] = [before?.assigneeId ?? null, after?.assigneeId ?? null]
  const notified: [TemplateFor<ReturnType<typeof paramsOf>['ar']>, number | null][] =
    had !== has
      ? [
          ['meeting_task_assigned', has],
          [after ? 'meeting_task_taken' : 'meeting_task_deleted', had],
        ]
      : [['meeting_task_changed', has]]
  if (before && after && before.status !== after.status && authorId === has) notified.push(['meeting_task_moved', after.createdBy])
  return notified.flatMap(([template, id]) => (id === null || id === authorId ? [] : [{ ...common, template, recipients: [id] }]))
}
