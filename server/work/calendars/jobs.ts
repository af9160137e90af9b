import { changedIf } from '../../platform/changes/outcome.ts'
import type { Job } from '../../platform/jobs/runner.ts'
import { layOutFurther } from './queries.ts'

/** Once a day: a calendar that nobody changes never runs out. */
export const layOutCalendars: Job = async (_payload, { transact }) => {
  await transact(null, async (tx) => {
    await layOutFurther(tx)
    return changedIf(null, [])
  })
}
