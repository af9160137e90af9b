/** The managers whom a source names for its people. */
import { sql } from 'kysely'
import { setManagers } from '../../people/managers/queries.ts'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Tx } from '../../platform/database/db.ts'
import { keyOf } from '../../platform/database/search.ts'
import { facet, managerOf, type PersonState } from './person.ts'
import type { CallingSource } from './queries.ts'

type Named = Pick<PersonState, 'userName' | 'externalId'>

/** Finds somebody of the source by the portal's id, else by the source's own id, else by their `userName`. */
async function findNamed(tx: Tx, source: CallingSource, value: string) {
  const id = /^\d{1,9}$/.test(value) ? Number(value) : null
  const { rows } = await sql<{ id: number }>`
    select user_id as id from provisioned_users
    where source_id = ${source.id} and removed_at is null
      and (user_id = ${id} or external_id = ${value} or user_name_key = ${keyOf(value)})
    order by user_id is not distinct from ${id} desc, external_id is not distinct from ${value} desc, user_id limit 1`.execute(tx)
  return rows[0]?.id ?? null
}

/** The people of the source who name this person as their manager, and have no manager in the portal. */
async function findNaming(tx: Tx, source: CallingSource, id: number, { userName, externalId }: Named) {
  const names = [id, userName, externalId].filter((one) => one !== null && one !== undefined).map((one) => facet('manager', one))
  const { rows } = await sql<{ id: number }>`
    select user_id as id from provisioned_users
    where source_id = ${source.id} and removed_at is null and facets && ${names}::text[] and user_id <> ${id}
      and not exists (select from managers join users on users.id = manager_id where managers.user_id = provisioned_users.user_id)`.execute(
    tx,
  )
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
 * Sets the manager of a person as their source names them, and this person as the manager of those who have named them. A manager who is
 * not in the source yet is set once the source sends them. `had` is the manager that a source named before. If it names none now, that one is
 * removed, and one set by hand stays. `before` is null for somebody who comes into the source.
 */
export async function followManagers(
  tx: Tx,
  source: CallingSource,
  id: number,
  { before, had, after }: { before: PersonState | null; had?: string | undefined; after: PersonState },
) {
  const named = managerOf(after.attributes)
  const changes: Change[] = []
  // While no source managed the person, a manager could be set by hand.
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
