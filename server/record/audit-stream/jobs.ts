import { changedIf } from '../../platform/changes/outcome.ts'
import { inBatches } from '../../platform/jobs/cleaning.ts'
import type { Job, JobContext } from '../../platform/jobs/runner.ts'
import { forgetSecurityEvents, noteTold, readState, switchOff } from './queries.ts'

const WARN_AFTER_S = 60
const TELL_AFTER_S = 3600

/** Logs a warning while the stream is a minute behind, and tells administrators once when it is an hour behind. */
export const watchAuditStream: Job = async (_payload, { db: { reads, writes }, config, log, transact }) => {
  if (!config.auditStream) await switchOff(writes)
  const { isOn, lagSeconds, behind, lastError } = await readState(reads)
  // This instance may have no collector while another instance sends, so the stored state decides.
  if (!isOn) return
  if (lagSeconds >= WARN_AFTER_S) log.warn({ lagSeconds, behind, lastError }, 'the audit stream is behind')
  const isLate = lagSeconds >= TELL_AFTER_S
  if (!isLate && lagSeconds >= WARN_AFTER_S) return
  await transact(null, async (tx) => {
    const isNews = (await noteTold(tx, isLate)) && isLate
    return changedIf(undefined, isNews ? [{ kind: 'audit_stream.announced', targetId: 0, facts: { news: 'behind' } }] : [])
  })
}

/** Deletes security events older than 30 days. A line of the stream gives the number of those that were not sent. */
export const forgetOldSecurityEvents = ({ db: { writes } }: JobContext) => inBatches((most) => forgetSecurityEvents(writes, most))
