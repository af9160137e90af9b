/** While everybody must sign in through a provider, an administrator must be able to sign in without it. */
import { sql } from 'kysely'
import type { Tx } from '../database/db.ts'
import { refuse } from '../errors/refusal.ts'

/** Whether a provider is required, and no exception could sign in without it. */
async function isBroken(tx: Tx) {
  const { passwords } = await tx.selectFrom('signInSettings').select('passwords').executeTakeFirstOrThrow()
  return passwords === 'exceptions' && !(await tx.selectFrom('readyExceptions').select('userId').limit(1).executeTakeFirst())
}

/**
 * Guards a change that may take away an exception's mark, role, factor or account. Call it before the change, and the check that it returns
 * after the change. The check refuses `last_break_glass` when a provider is required and no exception could sign in without it, unless that
 * was so before, as after `forget-factors`. The lock keeps two such transactions from relying on each other's exception.
 */
export async function guardBreakGlass(tx: Tx) {
  if (await isBroken(tx)) return async () => {}
  return async () => {
    const { passwords } = await tx.selectFrom('signInSettings').select('passwords').executeTakeFirstOrThrow()
    if (passwords === 'everyone') return
    await tx.selectFrom('signInSettings').select('onlyRow').forNoKeyUpdate().executeTakeFirstOrThrow()
    if (await isBroken(tx)) refuse('last_break_glass')
  }
}

/**
 * SQL for a lock that keeps the ways to sign in unchanged until the transaction ends. A statement that takes other locks must take this one
 * last.
 */
export const holdingWays = sql`pg_advisory_xact_lock_shared(hashtext('access'), 0)`
/** Takes the lock of `holdingWays` by a statement of its own. Call it after all other locks, before you read who may sign in how. */
export const holdWays = (tx: Tx) => sql`select ${holdingWays}`.execute(tx)
