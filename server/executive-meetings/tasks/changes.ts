import { type Change, kind } from '../../platform/changes/change-kind.ts'
import type { Tx } from '../../platform/database/db.ts'
import { daysChanged } from '../meetings/queries.ts'
import { Around } from '../meetings/shapes.ts'
import { dueAround, taskNotices } from './rules.ts'
import { Task, type TaskView } from './shapes.ts'

interface Facts {
  before: TaskView | null
  after: TaskView | null
}
/** Days that show the task because of its meeting. */
export interface OfDays {
  dates: string[]
}
/** The ledger shows the facts; `payload` are days that show the task besides those on which it is due. */
const common = {
  targetType: 'meeting_task',
  facts: Around(Task),
  histories: 'nothing',
  tells: (_tx: Tx, { targetId, facts, author }: Change<Facts>) => taskNotices(targetId, facts, author?.id),
  emits: (tx: Tx, { facts, payload, recipients }: Change<Facts>) => {
    const { dates = [] } = (payload ?? {}) as Partial<OfDays>
    return daysChanged(tx, [...dueAround(facts), ...dates].sort(), recipients)
  },
} as const

export const meetingTaskChanges = {
  'meeting_task.created': kind({ ...common, audits: () => ({ action: 'meeting_task.create' }) }),
  'meeting_task.updated': kind({ ...common, audits: () => ({ action: 'meeting_task.update' }) }),
  'meeting_task.deleted': kind({ ...common, audits: () => ({ action: 'meeting_task.delete' }) }),
}
