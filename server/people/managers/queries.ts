/** The managers of people. A deleted manager is gone; an inactive one is still stored, for administrators to see. */
import { sql } from 'kysely'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { type Person, personOrNull } from '../../platform/database/json.ts'
import { Refusal } from '../../platform/errors/refusal.ts'

interface Manager {
  userId: number | null
  manager: Person | null
}
/** The manager of a person, or null. `onlyActive` ignores an inactive manager. */
export async function findManager(db: Reads, userId: number, { onlyActive = false } = {}): Promise<Manager> {
  const { rows } = await sql<Manager>`
    select u.id as user_id, ${sql.raw(personOrNull('u'))} as manager
    from managers join users as u on u.id = manager_id where managers.user_id = ${userId} and (u.is_active or not ${onlyActive})`.execute(
    db,
  )
  return rows[0] ?? { userId: null, manager: null }
}

/** The ids of the managers that people have, by person; a deleted manager is gone. */
export async function findManagerIds(db: Reads, ids: readonly number[]) {
  const { rows } = await sql<{ userId: number; managerId: number }>`
    select user_id, manager_id from managers join users on users.id = manager_id where user_id = any(${ids}::int[])`.execute(db)
  return new Map(rows.map(({ userId, managerId }) => [userId, managerId]))
}

/** Locks those of `ids` that are people, so that nobody else changes their managers before the transaction ends. Returns their ids. */
export async function lockManaged(tx: Tx, ids: readonly number[]) {
  const { rows } = await sql<{ id: number }>`
    select id from users where id = any(${ids}::int[]) and kind = 'person' order by id for no key update`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

/** Keeps the active people among `ids` from being deleted until the transaction ends. Returns their ids. */
export async function lockActive(tx: Tx, ids: readonly number[]) {
  const { rows } = await sql<{ id: number }>`
    select id from users where id = any(${ids}::int[]) and kind = 'person' and is_active order by id for key share`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

/** SQL: whether a row `p` of `provisioned_users` names a manager. */
export const NAMES_MANAGER = sql`exists (select from unnest(p.facets) as facet where facet like 'manager:%')`

/** The refusals for those of these people whose manager follows from their source, by person. */
export async function findNamedElsewhere(db: Reads, ids: readonly number[]) {
  const { rows } = await sql<{ userId: number; id: number; name: string }>`
    select p.user_id, s.id, s.name from provisioned_users p join provisioning_sources s on s.id = p.source_id
    where p.user_id = any(${ids}::int[]) and p.removed_at is null
      and ${NAMES_MANAGER}`.execute(db)
  return new Map(rows.map(({ userId, ...source }) => [userId, namedBy({ kind: 'source', ...source })]))
}

const NAMED = 'The directory that manages this person names their manager, too.'
const namedBy = (source: object) =>
  new Refusal('managed_elsewhere', {
    body: { error: NAMED, messageAr: 'الدليل الذي يدير هذا الحساب هو الذي يحدّد المدير المباشر لصاحبه.', messageEn: NAMED, source },
  })

export interface Assignment {
  userId: number
  managerId: number | null
}
/**
 * Sets the managers of people whom the caller has locked. Returns a change for each person whose manager is a different one now.
 * `importId`: the import that makes the changes.
 */
export async function setManagers(tx: Tx, assignments: readonly Assignment[], importId?: number): Promise<Change[]> {
  if (assignments.length === 0) return []
  const { rows } = await sql<Assignment & { formerId: number | null }>`
    with line as materialized (
        select "userId" as user_id, "managerId" as manager_id
        from json_to_recordset(${JSON.stringify(assignments)}::json) as line ("userId" int, "managerId" int)),
      moved as materialized (
        select line.*, managers.manager_id as former_id from line left join managers using (user_id)
        where line.manager_id is distinct from managers.manager_id),
      gone as (delete from managers where user_id in (select user_id from moved where manager_id is null)),
      kept as (
        insert into managers (user_id, manager_id) select user_id, manager_id from moved where manager_id is not null
        on conflict (user_id) do update set manager_id = excluded.manager_id)
    select * from moved order by user_id`.execute(tx)
  return rows.map(({ userId, managerId, formerId }) => ({
    kind: 'user.manager_changed',
    targetId: userId,
    facts: { changed: { managerId: { from: formerId, to: managerId } }, ...(importId && { importId }) },
  }))
}
