/** The looks of existing usernames. */
import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import { fold } from '../../platform/database/search.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { isMistakable, isRough, keptLooks } from './rules.ts'

interface LookAlike {
  username: string
  isAdmin: boolean
  isClose: boolean
}

/**
 * Refuses `username_taken` if the name could be mistaken for an existing one, and keeps others from taking such a name before the commit.
 * Returns the looks of the name, for `keepLooks`.
 */
export async function refuseLookAlike(tx: Tx, username: string, status: 400 | 409) {
  const looks = keptLooks(username, await fold(tx, username))
  await sql`select pg_advisory_xact_lock(hashtext('looks of a name'), hashtext(look)) from unnest(${looks}::text[]) as look`.execute(tx)
  const close = looks.filter((look) => !isRough(look))
  const { rows } = await sql<LookAlike>`
    select u.username, bool_or(l.look = any(${close}::text[])) as is_close, exists (
        select from effective_roles e join roles r on r.id = e.role_id where e.user_id = u.id and r.name = 'admin' offset 0) as is_admin
    from username_looks l cross join lateral (select id, username from users where id = l.user_id offset 0) u
    where l.look = any(${looks}::text[]) group by u.id, u.username`.execute(tx)
  if (rows.some((other) => other.isAdmin || (other.isClose && isMistakable(username, other.username)))) refuse('username_taken', { status })
  return looks
}

export const keepLooks = (tx: Tx, userId: number, looks: readonly string[]) =>
  tx
    .insertInto('usernameLooks')
    .values(looks.map((look) => ({ look, userId })))
    .execute()
