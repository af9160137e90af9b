import { type Change, changedIf } from '../../platform/changes/outcome.ts'
import type { Job } from '../../platform/jobs/runner.ts'
import { layOutFurther, layOutMoved, lockZone } from './queries.ts'

/**
 * Runs once a day, so that the spans of a calendar that nobody changes never run out, and follow the rules of the time zone, which a new
 * version of PostgreSQL may change.
 */
export const layOutCalendars: Job = async (_payload, { transact }) => {
  await transact(null, async (tx) => {
    await lockZone(tx)
    await layOutFurther(tx)
    const moved = await layOutMoved(tx)
    const changes = moved.map((targetId): Change => ({ kind: 'working_calendar.laid_out', targetId, facts: {} }))
    return changedIf(null, changes)
  })
}
