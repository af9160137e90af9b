import { departure } from '../../platform/changes/departures.ts'
import { lockTasksAround, releaseTasks } from './queries.ts'

/** Tasks stay when their meeting, their author or their assignee is deleted. */
export const taskDepartures = [
  departure({ of: 'users', holds: ['meeting_tasks.created_by', 'meeting_tasks.assignee_id'], lock: lockTasksAround }),
  departure({
    of: 'meetings',
    holds: ['meeting_tasks.meeting_id'],
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
