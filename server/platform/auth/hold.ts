/** Locks a caller's session and rights, so that a command commits only if both are the same as at authentication. */
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../database/db.ts'
import { refuse } from '../errors/refusal.ts'
import type { Caller, Session } from './sessions.ts'

/** The caller's rights have changed since authentication. The code that catches this error authenticates the caller again. */
export class StaleCaller extends Error {
  override name = 'StaleCaller'
}

/**
 * Locks the caller's session and rights until the transaction ends; `alone` also blocks the caller's other commands. Refuses `unauthorized`
 * when the session has ended; throws `StaleCaller` when the rights have changed.
 */
export async function lockCaller(tx: Tx, { actor, session }: Caller, alone: boolean) {
  const held = await lock(tx, session, sql`${actor.version}::bigint, ${actor.epoch}::bigint, ${alone}`)
  if (held === 'changed') throw new StaleCaller()
}

/** Locks the caller's row but does not check their rights: `lockCaller` does so once the other locks are taken. */
export const lockOwnRow = (tx: Tx, { session }: Caller) =>
  sql`select from user_access where user_id = ${session.userId} for key share`.execute(tx)

/** Locks the caller's session, even if their rights have changed. Refuses `unauthorized` when the session has ended. */
export async function lockSession(tx: Tx, { session }: Caller) {
  await lock(tx, session, sql`null, null, false`)
}

/** Waits for a person's running commands, and blocks their further commands until the transaction ends. */
export const lockRightsOf = (tx: Tx, userId: number) => sql`select from user_access where user_id = ${userId} for update`.execute(tx)

/** Locks several callers without waiting. Returns the indices of those whose lock was free and whose session and rights are unchanged. */
export async function lockCallers(tx: Tx, callers: readonly Caller[]) {
  const ofEach = (pick: (caller: Caller) => number) => callers.map(pick)
  const { rows } = await sql<{ held: number[] }>`
    select hold_callers(${ofEach(({ session }) => session.userId)}::int[], ${ofEach(({ session }) => session.id)}::int[],
      ${ofEach(({ actor }) => actor.version)}::bigint[], ${ofEach(({ actor }) => actor.epoch)}::bigint[]) as held`.execute(tx)
  return rows[0]!.held.map((place) => place - 1)
}

async function lock(tx: Tx, { id, userId }: Session, seen: RawBuilder<unknown>) {
  const { rows } = await sql<{ held: 'held' | 'changed' | 'ended' }>`select hold_caller(${userId}, ${id}, ${seen}) as held`.execute(tx)
  const { held } = rows[0]!
  return held === 'ended' ? refuse('unauthorized') : held
}
