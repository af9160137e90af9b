/** Ends sessions of several people at once. */
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../database/db.ts'
import type { Change } from './outcome.ts'

type Ended = Extract<Change, { kind: 'session.ended' }>

/** Ends the active sessions that meet a condition; their streams give the reason and close. Returns a change for each person. */
export async function endSessionsWhere(
  tx: Tx,
  condition: RawBuilder<unknown>,
  reason: Ended['facts']['reason'],
  author?: null,
): Promise<Change[]> {
  const { rows } = await sql<{ id: number; userId: number }>`
    update sessions set ended_at = now() where id in (
      select id from sessions where ended_at is null and expires_at > now() and (${condition}) order by id for update)
    returning id, user_id`.execute(tx)
  return Array.from(
    Map.groupBy(rows, ({ userId }) => userId),
    ([targetId, ended]): Change => ({
      kind: 'session.ended',
      targetId,
      facts: { reason, sessionIds: ended.map(({ id }) => id) },
      ...(author === null && { author }),
    }),
  )
}
