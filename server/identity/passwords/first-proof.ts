/**
 * The first proof of who owns an account. Until then a stranger may have registered it with somebody else's address, and have added factors,
 * tokens or identities that would survive a new password.
 */

import { voidLinksOf } from '../../people/users/queries.ts'
import { freeLimits } from '../../platform/auth/limits.ts'
import type { Author } from '../../platform/changes/change-kind.ts'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Config } from '../../platform/config.ts'
import type { Tx } from '../../platform/database/db.ts'
import { removeSubscriptions } from '../../work/push/queries.ts'
import { clearFactors } from '../factors/queries.ts'
import { factorLimit } from '../factors/rules.ts'
import { removeDevices } from '../sessions/devices.ts'
import { endSessions } from '../sessions/queries.ts'
import { countTokens } from '../tokens/queries.ts'
import { inviteAgain } from './invitations.ts'

/**
 * Removes the factors, identities, trusted browsers and push subscriptions of an unproven account. The caller must have locked the person,
 * must also end the sessions, API tokens among them, and decides about the password. Returns the changes, which notify the person;
 * undefined if the account is proven.
 */
export async function clearUnproven(tx: Tx, id: number, author?: Author): Promise<Change[] | undefined> {
  const { username, isProven } = await tx
    .selectFrom('users')
    // Exceptions count as proven: an administrator has vouched for them.
    .select(({ eb, or }) => [
      'username',
      or([eb('emailVouched', '=', true), eb('isProven', '=', true), eb('isException', '=', true)]).as('isProven'),
    ])
    .where('id', '=', id)
    .where('kind', '=', 'person')
    .executeTakeFirstOrThrow()
  if (isProven) return undefined
  // Deletes in the order of docs/lock-order.md.
  const { numDeletedRows: identities } = await tx.deleteFrom('identities').where('userId', '=', id).executeTakeFirstOrThrow()
  const removed = {
    identities: Number(identities),
    tokens: await countTokens(tx, id),
    ...(await clearFactors(tx, id)),
    trustedDevices: await removeDevices(tx, id),
    subscriptions: await removeSubscriptions(tx, id),
  }
  await freeLimits(tx, [factorLimit(id)])
  if (Object.values(removed).every((some) => some === 0 || (Array.isArray(some) && some.length === 0))) return []
  return [{ kind: 'account.cleared', targetId: id, facts: { username, ...removed }, ...(author && { author }) }]
}

/**
 * Hands an unproven account to the owner of the address that an administrator has set: removes the ways into the account, and invites the
 * owner to choose a password. Only voids the links of a proven account. The caller must have locked the person. Returns the changes.
 */
export async function entrust(tx: Tx, person: { id: number; username: string }, config: Config): Promise<Change[]> {
  const { id } = person
  const cleared = await clearUnproven(tx, id)
  await voidLinksOf(tx, [id])
  if (!cleared) return []
  await tx.updateTable('users').set({ passwordHash: null }).where('id', '=', id).execute()
  await inviteAgain(tx, person, config)
  const sessionIds = await endSessions(tx, id)
  return [...cleared, { kind: 'session.ended', targetId: id, facts: { reason: 'revoked', sessionIds } }]
}
