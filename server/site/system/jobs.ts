import { unchanged } from '../../platform/changes/outcome.ts'
import type { Job } from '../../platform/jobs/runner.ts'
import { noteFigures } from './queries.ts'

/** Stores a sample of the portal's state, for the administrators' page. */
export const noteHealth: Job = (_payload, { transact }) =>
  transact(null, async (tx) => {
    await noteFigures(tx)
    return unchanged(undefined)
  })
