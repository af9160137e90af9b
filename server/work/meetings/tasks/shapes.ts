import { type Static, Type } from 'typebox'
import { PersonSummary } from '../../../people/users/shapes.ts'
import {
  CalendarDate,
  CountsOf,
  Id,
  Name,
  Named,
  Nullable,
  OneOf,
  PartialShape,
  partQuery,
  Shape,
  Text,
  Timestamp,
} from '../../../platform/http/shape.ts'
import type { TaskStatus as Status } from '../../../platform/tables.ts'

export const statuses = ['open', 'in_progress', 'done', 'cancelled'] as const satisfies Status[]
const TaskStatus = Named('MeetingTaskStatus', OneOf(statuses))

/** A task as the ledger records it. */
export const TaskRecord = Shape({
  id: Id,
  meetingId: Nullable(Id),
  titleAr: Nullable(Type.String()),
  titleEn: Nullable(Type.String()),
  details: Nullable(Type.String()),
  assigneeId: Nullable(Id),
  dueDate: Nullable(CalendarDate),
  status: TaskStatus,
  createdBy: Nullable(Id),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export const Task = Named(
  'MeetingTask',
  Shape({
    ...TaskRecord.properties,
    assignee: {
      ...Nullable(PersonSummary),
      isUntagged: true,
      description: 'The person who is to do it, even if they have since lost their access or been deactivated',
    },
  }),
  { titleAr: 'إعداد العرض', titleEn: 'Prepare the slides', dueDate: '2026-03-01' },
)
export const Tasks = Type.Array(Task)

/** `checkTask` requires at least one of the titles. */
export const TaskFields = Named(
  'MeetingTaskFields',
  PartialShape({
    meetingId: Nullable(Id),
    titleAr: Nullable(Name({ max: 300 })),
    titleEn: Nullable(Name({ max: 300 })),
    details: Nullable(Text({ max: 5000 })),
    assigneeId: Nullable(Id),
    dueDate: Nullable(CalendarDate),
    status: TaskStatus,
  }),
  { titleAr: 'إعداد العرض', titleEn: 'Prepare the slides', assigneeId: 12, dueDate: '2026-03-01' },
)
const filters = {
  date: Type.Optional(Type.String({ ...CalendarDate, description: 'Tasks due on this day or of a meeting on it' })),
  assigneeId: Type.Optional(Id),
}
export const TasksQuery = Shape({ ...filters, status: Type.Optional(TaskStatus), ...partQuery })
export const TaskCountsQuery = Shape(filters)
export const TaskCounts = Named('MeetingTaskCounts', Shape({ counts: CountsOf('MeetingTaskStatusCounts', statuses) }))

export type Person = Static<typeof PersonSummary>
export type TaskRecord = Static<typeof TaskRecord>
export type TaskView = Static<typeof Task>
export type TaskChanges = Static<typeof TaskFields>
