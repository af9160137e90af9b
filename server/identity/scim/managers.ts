/** The managers whom a source names for its people. */
import { sql } from 'kysely'
import { setManagers } from '../../people/managers/queries.ts'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Tx } from '../../platform/database/db.ts'
import { keyOf } from '../../platform/database/search.ts'
import { facet, managerOf, type PersonState } from './person.ts'
import type { CallingSource } from './queries.ts'

type Named = Pick<PersonState, 'userName' | 'externalId'>

/** The names in a change that decide on managers: `own`, the person's new names, and `named`, those of the former and the new manager. */
export interface ManagerNames {
  own: string[]
  named: string[]
}

/** The names that decide on managers in a change of a person. `before` is null for somebody who comes into the source. */
export function managerNames(id: number | null, before: PersonState | null, after: PersonState): ManagerNames {
  const [had, named] = [before && managerOf(before.attributes), managerOf(after.attributes)]
  const isNew = before?.userName !== after.userName || before?.externalId !== after.externalId
  const chosen = (some: unknown[]) => some.filter((one) => one !== null && one !== undefined).map((one) => facet('manager', one))
  return { own: isNew ? chosen([id, after.userName, after.externalId]) : [], named: named === had ? [] : chosen([had, named]) }
}

/**
 * Locks names, exclusively for the person who gets them and shared for the people who name a manager by them: otherwise neither would find
 * the other when a source sends both at once. Call it before the person is locked.
 */
export async function lockNames(tx: Tx, { id }: { id: number }, { own, named }: ManagerNames) {
  if (own.length + named.length === 0) return
  // Shared, because many people may name one manager at the same time.
  await sql`
    select case when is_own then pg_advisory_xact_lock(hashtext('names of managers'), key)
      else pg_advisory_xact_lock_shared(hashtext('names of managers'), key) end
    from (
      select hashtext(${String(id)}::text || ' ' || name) as key, bool_or(is_own) as is_own
      from (select unnest(${own}::text[]), true union all select unnest(${named}::text[]), false) as each (name, is_own)
      group by 1 order by 1) as names`.execute(tx)
}

/**
 * Finds a person of the source by the portal's id, else by the source's own id, else by their `userName`, and locks them against deletion.
 */
async function findNamed(tx: Tx, source: CallingSource, value: string) {
  const id = /^\d{1,9}$/.test(value) ? Number(value) : null
  const { rows } = await sql<{ id: number }>`
    select u.id from users u join provisioned_users p on p.user_id = u.id
    where source_id = ${source.id} and removed_at is null
      and (user_id = ${id} or external_id = ${value} or user_name_key = ${keyOf(value)})
    order by user_id is not distinct from ${id} desc, external_id is not distinct from ${value} desc, user_id limit 1
    for key share of u`.execute(tx)
  return rows[0]?.id ?? null
}

/** Finds, and locks against deletion, the people of the source who name this person as their manager and have no manager in the portal. */
async function findNaming(tx: Tx, source: CallingSource, id: number, { userName, externalId }: Named) {
  const names = [id, userName, externalId].filter((one) => one !== null && one !== undefined).map((one) => facet('manager', one))
  const { rows } = await sql<{ id: number }>`
    select u.id from users u join provisioned_users p on p.user_id = u.id
    where source_id = ${source.id} and removed_at is null and facets && ${names}::text[] and u.id <> ${id}
      and not exists (select from managers join users on users.id = manager_id where managers.user_id = u.id)
    order by u.id for key share of u`.execute(tx)
  return rows.map((row) => row.id)
}

/** Whether the last change of a person's manager was made by hand, not by a source. */
async function isSetByHand(tx: Tx, id: number) {
  const { rows } = await sql<{ isByHand: boolean }>`
    select not exists (select from provisioning_sources where user_id = actor_id) as is_by_hand from ledger
    where target_type = 'user' and target_id = ${id} and kind = 'user.manager_changed' order by at desc, id desc limit 1`.execute(tx)
  return rows[0]?.isByHand ?? false
}

/**
 * Makes the manager whom the source names for a person their manager, and makes the person the manager of the people who have named them. A
 * manager who is not in the source yet is set once the source sends them. `had` is the manager that the source named before. If the source
 * no longer names one, that manager is removed, but a manager set by hand stays. `before` is null for somebody who comes into the source.
 */
export async function followManagers(
  tx: Tx,
  source: CallingSource,
  id: number,
  { before, had, after }: { before: PersonState | null; had?: string | undefined; after: PersonState },
) {
  const named = managerOf(after.attributes)
  const changes: Change[] = []
  // A manager set by hand while no source managed the person stays if the source names none.
  const follows = named === undefined ? had !== undefined && !(await isSetByHand(tx, id)) : named !== had || !before
  if (follows) {
    const managerId = named === undefined ? null : await findNamed(tx, source, named)
    changes.push(...(await setManagers(tx, [{ userId: id, managerId: managerId === id ? null : managerId }])))
  }
  const isNew = before?.userName !== after.userName || before?.externalId !== after.externalId
  const people = isNew ? await findNaming(tx, source, id, after) : []
  return [
    ...changes,
    ...(await setManagers(
      tx,
      people.map((userId) => ({ userId, managerId: id })),
    )),
  ]
}
