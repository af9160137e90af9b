/** A command commits only while its caller's session lives and their rights are those it was let in with. */
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../database/db.ts'
import { refuse } from '../errors/refusal.ts'
import type { Caller, Session } from './sessions.ts'

/** The caller's rights have changed since they were authenticated: the code that catches this authenticates them again. */
export class StaleCaller extends Error {
  override name = 'StaleCaller'
}

/**
 * Holds the caller's session and rights until the transaction ends; `alone` keeps other commands of theirs out as well. Refuses
 * `unauthorized` when the session is no more, throws `StaleCaller` when the rights are others.
 */
export async function holdCaller(tx: Tx, { actor, session }: Caller, alone: boolean) {
  const held = await hold(tx, session, sql`${actor.version}::bigint, ${actor.epoch}::bigint, ${alone}`)
  if (held === 'changed') throw new StaleCaller()
}

/** Holds the caller's session alone, whatever their rights. Refuses `unauthorized` when it is no more. */
export async function holdSession(tx: Tx, { session }: Caller) {
  await hold(tx, session, sql`null, null, false`)
}

/** The places in the list of the callers who are held like that, and for whom nothing had to be waited for. */
export async function holdCallers(tx: Tx, callers: readonly Caller[]) {
  const ofEach = (pick: (caller: Caller) => number) => callers.map(pick)
  const { rows } = await sql<{ held: number[] }>`
    select hold_callers(${ofEach(({ session }) => session.userId)}::int[], ${ofEach(({ session }) => session.id)}::int[],
      ${ofEach(({ actor }) => actor.version)}::bigint[], ${ofEach(({ actor }) => actor.epoch)}::bigint[]) as held`.execute(tx)
  return rows[0]!.held.map((place) => place - 1)
}

async function hold(tx: Tx, { id, userId }: Session, seen: RawBuilder<unknown>) {
  const { rows } = await sql<{ held: 'held' | 'changed' | 'ended' }>`select hold_caller(${userId}, ${id}, ${seen}) as held`.execute(tx)
  const { held } = rows[0]!
  return held === 'ended' ? refuse('unauthorized') : held
}
