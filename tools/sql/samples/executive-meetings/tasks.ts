import { countTasks, listTasks } from '../../../../server/work/meetings/tasks/queries.ts'
import type { Samples } from '../../recorder.ts'

const filter = { date: '2026-01-01', assigneeId: 1, status: 'open' } as const

export default {
  countTasks: (db) => countTasks(db(), filter),
  listTasks: (db) => listTasks(db(), filter),
} satisfies Samples
