/** Compares the looks of new usernames with those of existing ones. */
import { sql } from 'kysely'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { fold } from '../../platform/database/search.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { isMistakable, isRough, keptLooks } from './rules.ts'

interface LookAlike {
  look: string
  username: string
  isAdmin: boolean
}

/** The existing names that share one of these looks. */
async function findSharing(db: Reads, looks: readonly string[]) {
  const { rows } = await sql<LookAlike>`
    select l.look, u.username, exists (
        select from effective_roles e join roles r on r.id = e.role_id where e.user_id = u.id and r.name = 'admin' offset 0) as is_admin
    from username_looks l cross join lateral (select id, username from users where id = l.user_id offset 0) u
    where l.look = any(${looks}::text[])`.execute(db)
  return rows
}

const isTakenFor = (username: string, others: readonly LookAlike[]) =>
  others.some((other) => other.isAdmin || (!isRough(other.look) && isMistakable(username, other.username)))

/**
 * Refuses `username_taken` if the name could be mistaken for an existing one. Nobody else can take a similar name before the commit.
 * Returns the looks of the name, for `keepLooks`.
 */
export async function refuseLookAlike(tx: Tx, username: string, status: 400 | 409) {
  const looks = keptLooks(username, await fold(tx, username))
  await sql`select pg_advisory_xact_lock(hashtext('looks of a name'), hashtext(look)) from unnest(${looks}::text[]) as look`.execute(tx)
  if (isTakenFor(username, await findSharing(tx, looks))) refuse('username_taken', { status })
  return looks
}

/** For each of these names: its looks without the rough ones, and whether it could be mistaken for an existing name. */
export async function findLookAlikes(db: Reads, names: readonly string[]) {
  const { rows } = await sql<{ name: string; folded: string }>`
    select name, portal_fold(name) as folded from unnest(${names}::text[]) as name`.execute(db)
  const kept = rows.map(({ name, folded }) => ({ name, looks: keptLooks(name, folded) }))
  const sharing = Map.groupBy(await findSharing(db, [...new Set(kept.flatMap(({ looks }) => looks))]), ({ look }) => look)
  return new Map(
    kept.map(({ name, looks }) => {
      const others = looks.flatMap((look) => sharing.get(look) ?? [])
      return [name, { looks: looks.filter((look) => !isRough(look)), isTaken: isTakenFor(name, others) }]
    }),
  )
}

export const keepLooks = (tx: Tx, userId: number, looks: readonly string[]) =>
  tx
    .insertInto('usernameLooks')
    .values(looks.map((look) => ({ look, userId })))
    .execute()
