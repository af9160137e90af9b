/** What the usernames that exist look like. */
import { sql } from 'kysely'
import type { Tx } from '../platform/database/db.ts'
import { refuse } from '../platform/refusal.ts'
import { isMistakable, looksOf } from './rules.ts'

/** Refuses `username_taken` where the name could be taken for one that exists; nobody else can take such a name before the commit. */
export async function refuseLookAlike(tx: Tx, username: string, status: 400 | 409) {
  const looks = looksOf(username)
  await sql`select pg_advisory_xact_lock(hashtext('looks of a name'), hashtext(look)) from unnest(${looks}::text[]) as look`.execute(tx)
  const { rows } = await sql<{ username: string }>`
    select distinct u.username from username_looks l join users u on u.id = l.user_id where l.look = any(${looks}::text[])`.execute(tx)
  if (rows.some((other) => isMistakable(username, other.username))) refuse('username_taken', { status })
}

export const keepLooks = (tx: Tx, userId: number, username: string) =>
  tx
    .insertInto('usernameLooks')
    .values(looksOf(username).map((look) => ({ look, userId })))
    .execute()
