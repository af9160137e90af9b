import { deletionHook } from '../../../platform/changes/deletion-hooks.ts'
import { lockTasksAround, releaseTasks } from './queries.ts'

/** Tasks stay when their meeting, their author or their assignee is deleted. */
export const taskDeletionHooks = [
  deletionHook({ of: 'users', columns: ['meeting_tasks.created_by', 'meeting_tasks.assignee_id'], lock: lockTasksAround }),
  deletionHook({
    of: 'meetings',
    columns: ['meeting_tasks.meeting_id'],
    // The change of the meeting already announces its day.
    leaves: async (tx, id) =>
      (await releaseTasks(tx, id)).map((facts) => ({
        kind: 'meeting_task.updated',
        targetId: facts.after.id,
        facts,
        payload: { dates: [] },
      })),
  }),
]
