/** While everybody must sign in through a provider, an administrator must be able to sign in without it. */
import { sql } from 'kysely'
import type { Tx } from '../database/db.ts'
import { refuse } from '../errors/refusal.ts'

/** Whether a provider is required, and nobody is left who could sign in without it. */
async function isBroken(tx: Tx) {
  const { passwords } = await tx.selectFrom('signInSettings').select('passwords').executeTakeFirstOrThrow()
  return passwords === 'exceptions' && !(await tx.selectFrom('readyExceptions').select('userId').limit(1).executeTakeFirst())
}

/**
 * Call it before a change that may take an exception's mark, role, factor or account, and the check that it returns afterwards: it refuses
 * `last_break_glass` when a provider is required and nobody is left who could sign in without it. If it was so before, as after
 * `forget-factors` at the machine, the portal goes on. The lock keeps two such transactions from relying on each other's exception.
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

/** The lock that keeps the ways to sign in as they are until the transaction ends, for a statement that has locked all else. */
export const holdingWays = sql`pg_advisory_xact_lock_shared(hashtext('access'), 0)`
/** Takes it alone. Call it last, before you read who may sign in how. */
export const holdWays = (tx: Tx) => sql`select ${holdingWays}`.execute(tx)
