import { changedIf } from '../../platform/changes/outcome.ts'
import type { Job } from '../../platform/jobs/runner.ts'
import { layOutFurther } from './queries.ts'

/** Runs once a day, so that the spans of a calendar that nobody changes never run out. */
export const layOutCalendars: Job = async (_payload, { transact }) => {
  await transact(null, async (tx) => {
    await layOutFurther(tx)
    return changedIf(null, [])
  })
}
