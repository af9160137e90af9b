/**
 * The first proof of whose an account is. Until then a stranger may have made it with somebody else's address, and have left ways in that
 * would outlive a new password.
 */
import { clearFactors } from '../factors/queries.ts'
import { factorLimit } from '../factors/rules.ts'
import { freeLimits } from '../platform/auth/limits.ts'
import type { Author } from '../platform/changes/change-kind.ts'
import type { Change } from '../platform/changes/outcome.ts'
import type { Config } from '../platform/config.ts'
import type { Tx } from '../platform/database/db.ts'
import { removeSubscriptions } from '../push/queries.ts'
import { countTokens } from '../tokens/queries.ts'
import { inviteAgain } from './creating.ts'
import { removeDevices } from './devices.ts'
import { endSessions, voidLinksOf } from './queries.ts'

/**
 * Removes what opens the account of a person, who must be locked, if nobody has proven whose it is: all but the password and the sessions,
 * which the caller ends. Returns the changes; undefined if the account is proven. The person is told what was removed.
 */
export async function clearUnproven(tx: Tx, id: number, author?: Author): Promise<Change[] | undefined> {
  const { username, isProven } = await tx
    .selectFrom('users')
    // An exception was named by an administrator.
    .select(({ eb, or }) => [
      'username',
      or([eb('emailVouched', '=', true), eb('isProven', '=', true), eb('isException', '=', true)]).as('isProven'),
    ])
    .where('id', '=', id)
    .where('kind', '=', 'person')
    .executeTakeFirstOrThrow()
  if (isProven) return undefined
  // In the order of docs/lock-order.md.
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
 * For an administrator who gives a person, who must be locked, another address: an account that was not proven is now its owner's, who gets
 * an invitation to choose a password. Returns the changes.
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
