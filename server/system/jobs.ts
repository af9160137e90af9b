import { unchanged } from '../platform/changes/outcome.ts'
import type { Job } from '../platform/jobs/runner.ts'
import { noteFigures } from './queries.ts'

/** Notes how the portal is, for the administrators' page. */
export const noteHealth: Job = (_payload, { transact }) =>
  transact(null, async (tx) => {
    await noteFigures(tx)
    return unchanged(undefined)
  })
