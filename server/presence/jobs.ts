import { unchanged } from '../platform/changes/outcome.ts'
import type { Job } from '../platform/jobs/runner.ts'
import { forgetGone } from './queries.ts'

export const forgetPresences: Job = (_payload, { transact }) => transact(null, async (tx) => unchanged(await forgetGone(tx)))
