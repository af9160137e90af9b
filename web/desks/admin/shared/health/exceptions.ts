/** The exceptions to a healthy portal. Parts that work are not mentioned. */
import type { Health, Version } from './data.ts'

export type Exception =
  | { what: 'databaseGone' | 'streamFails' | 'noMail' | 'noPush' | 'noSecrets' | 'broken' | 'versionUnknown' }
  | { what: 'slow'; ms: number }
  | { what: 'queueLate' | 'sealLate' | 'streamLate' | 'clockOff'; seconds: number }
  | { what: 'givenUp'; count: number }
  | { what: 'full'; free: number }
  | { what: 'newer'; version: string }

const SLOW_MS = 250
const LATE_JOB_S = 5 * 60
const LATE_SEAL_S = 10 * 60
/** Codes of authenticator apps are valid for half a minute, so a larger difference of clocks makes them fail. */
const CLOCK_OFF_S = 30
const LITTLE_ROOM = 2 * 1024 ** 3

/** The exceptions that need an administrator, the most urgent first. Missing setup comes last. */
export function exceptionsOf(health: Health | undefined, version?: Version): Exception[] {
  const found: Exception[] = []
  if (health) {
    const { database, queue, ledger, auditStream, storage, clock } = health
    if (!database.ok) found.push({ what: 'databaseGone' })
    else if (database.ms > SLOW_MS) found.push({ what: 'slow', ms: database.ms })
    if (ledger.valid === false) found.push({ what: 'broken' })
    if (ledger.unsealedSeconds > LATE_SEAL_S) found.push({ what: 'sealLate', seconds: ledger.unsealedSeconds })
    if (auditStream.state === 'failing') found.push({ what: 'streamFails' })
    if (auditStream.state === 'behind') found.push({ what: 'streamLate', seconds: auditStream.lagSeconds })
    if (storage.free !== null && storage.free < LITTLE_ROOM) found.push({ what: 'full', free: storage.free })
    if (Math.abs(clock.aheadSeconds) > CLOCK_OFF_S) found.push({ what: 'clockOff', seconds: clock.aheadSeconds })
    if (queue.oldestSeconds > LATE_JOB_S) found.push({ what: 'queueLate', seconds: queue.oldestSeconds })
    if (queue.givenUp.length > 0) found.push({ what: 'givenUp', count: queue.givenUp.length })
  }
  if (version?.status === 'update-available' && version.latest) found.push({ what: 'newer', version: version.latest.version })
  if (version?.status === 'error') found.push({ what: 'versionUnknown' })
  if (health && !health.mail.configured) found.push({ what: 'noMail' })
  if (health && !health.pushes.configured) found.push({ what: 'noPush' })
  if (health && !health.secrets.configured) found.push({ what: 'noSecrets' })
  return found
}

/** Whether an exception is no fault: missing setup, a newer version, or an unknown version. */
export const isCalm = ({ what }: Exception) => ['noMail', 'noPush', 'noSecrets', 'newer', 'versionUnknown'].includes(what)
