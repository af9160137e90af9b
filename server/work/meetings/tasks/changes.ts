import { type AuthoredChange, given, kind } from '../../../platform/changes/change-kind.ts'
import type { Tx } from '../../../platform/database/db.ts'
import { daysChanged, forExecutives } from '../meetings/queries.ts'
import { Around } from '../meetings/shapes.ts'
import { dueAround, taskNotices } from './rules.ts'
import { TaskRecord } from './shapes.ts'

interface Facts {
  before: TaskRecord | null
  after: TaskRecord | null
}
/** The days that show a task, besides its due dates: those of its meeting, which may have been deleted. */
const needs = { payload: given<{ dates: string[] }>() }

const common = {
  targetType: 'meeting_task',
  facts: Around(TaskRecord),
  needs,
  notifies: (_tx: Tx, { targetId, facts, author }: AuthoredChange<Facts, typeof needs>) =>
    forExecutives(taskNotices(targetId, facts, author?.id)),
  emits: (_tx: Tx, { facts, payload }: AuthoredChange<Facts, typeof needs>) => {
    const days = [...dueAround(facts), ...payload.dates].sort()
    return daysChanged(days.length ? days : [null])
  },
} as const

export const meetingTaskChanges = {
  'meeting_task.created': kind({ ...common, audits: () => ({ action: 'meeting_task.create' }) }),
  'meeting_task.updated': kind({ ...common, audits: () => ({ action: 'meeting_task.update' }) }),
  'meeting_task.deleted': kind({
    ...common,
    audits: () => ({ action: 'meeting_task.delete' }),
    settles: ({ targetId }) => [{ relatedType: 'meeting_task', relatedId: targetId }],
  }),
}
