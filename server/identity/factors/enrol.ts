/** Adding factors, and the effects of adding the first one and of removing the last one. */

import type { Tx } from '../../platform/database/db.ts'
import { distrustDevices } from '../sessions/devices.ts'
import { hasFactor, lowerSessions, raiseSession, readFactors, replaceRecoveryCodes } from './queries.ts'
import { hashRecoveryCode, newRecoveryCodes } from './rules.ts'

/** Replaces somebody's recovery codes, and returns the new ones. */
export async function issueRecoveryCodes(tx: Tx, userId: number) {
  const codes = newRecoveryCodes()
  await replaceRecoveryCodes(tx, userId, codes.map(hashRecoveryCode))
  return codes
}

/**
 * Adds a factor and raises the session to two factors. The first factor comes with recovery codes. The caller must have locked the person.
 */
export async function withFactor<Added>(tx: Tx, { userId, sessionId }: { userId: number; sessionId: number }, add: () => Promise<Added>) {
  const isFirst = !hasFactor(await readFactors(tx, userId))
  const added = await add()
  await raiseSession(tx, sessionId)
  return { added, recoveryCodes: isFirst ? await issueRecoveryCodes(tx, userId) : null }
}

/**
 * Ends the trust in browsers and, if no factor is left, lowers the person's sessions to one factor and deletes the recovery codes. Call it
 * after removing a factor of a locked person.
 */
export async function afterRemoval(tx: Tx, userId: number) {
  await distrustDevices(tx, userId)
  if (hasFactor(await readFactors(tx, userId))) return
  await lowerSessions(tx, userId)
  await replaceRecoveryCodes(tx, userId, [])
}
