/** Changes many people at once. Each change has the effects of a change of one person, and a verdict of its own. */
import { sql } from 'kysely'
import { checkByHand, give, take } from '../../access/grants/queries.ts'
import { endsOf, type Grant, membershipsExpired, rolesExpired } from '../../access/grants/rules.ts'
import { findLastingAdministrators, keepAnAdministrator } from '../../platform/auth/last-admin.ts'
import { changedFields } from '../../platform/changes/change-kind.ts'
import type { HoldersOf } from '../../platform/changes/deletion-hooks.ts'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Tx } from '../../platform/database/db.ts'
import { changedSet } from '../../platform/database/sets.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import type { Language } from '../../platform/tables.ts'
import { findSwitchedOff } from './queries.ts'

interface Role {
  id: number
  name: string
}
/** The state that all selected people are to have. */
export interface Wanted {
  isActive?: boolean
  preferredLanguage?: Language
  groups: { added: readonly number[]; removed: readonly number[] }
  roles: { added: readonly Role[]; removed: readonly Role[] }
}

interface Person {
  id: number
  isActive: boolean
  preferredLanguage: Language
}

const idsOf = (some: readonly { id: number }[]) => some.map(({ id }) => id)

/** The grants of each person, sorted by id. */
const byPerson = (grants: readonly Grant[]) =>
  new Map(
    Array.from(
      Map.groupBy(grants, ({ userId }) => userId),
      ([userId, some]) => [userId, some.sort((one, other) => one.id - other.id)],
    ),
  )

/** Changes people whom the caller has locked. Returns the changes by person; none for people who already have the wanted state. */
async function change(tx: Tx, people: readonly Person[], wanted: Wanted, holders: HoldersOf<'users'>) {
  const { groups, roles, ...fields } = wanted
  const userIds = idsOf(people)
  await checkByHand(tx, [...groups.added, ...groups.removed])
  const joining = await give(tx, 'group', { userIds, ids: groups.added })
  const left = byPerson(await take(tx, 'group', { userIds, ids: groups.removed }))
  const gaining = await give(tx, 'role', { userIds, ids: idsOf(roles.added) })
  const lost = byPerson(await take(tx, 'role', { userIds, ids: idsOf(roles.removed) }))
  const [joined, gained] = [byPerson(joining.given), byPerson(gaining.given)]
  const expired = Map.groupBy(
    [
      ...joining.ended.map((one) => [one.userId, membershipsExpired([one])] as const),
      ...gaining.ended.map((one) => [one.userId, rolesExpired([one])] as const),
    ],
    ([userId]) => userId,
  )
  const altered = people.filter((person) => Object.keys(changedFields(person, fields)).length > 0)
  if (altered.length)
    await tx
      .updateTable('users')
      .set(fields)
      .where('id', '=', sql<number>`any(${idsOf(altered)}::int[])`)
      .execute()

  const deactivated = fields.isActive === false ? idsOf(altered.filter(({ isActive }) => isActive)) : []
  const following = Map.groupBy(deactivated.length ? await holders.deactivate(tx, deactivated) : [], ({ targetId }) => targetId)
  const changes = new Map<number, Change[]>()
  for (const person of people) {
    const { id: targetId } = person
    const moves = {
      added: idsOf(joined.get(targetId) ?? []),
      removed: idsOf(left.get(targetId) ?? []),
      ends: endsOf('id', { taken: left.get(targetId) ?? [] }),
    }
    const changed = { ...changedFields(person, fields), ...changedSet('groupIds', moves) }
    const roleChange = (kind: 'user.role_added' | 'user.role_removed', some: readonly Role[], moved: Map<number, Grant[]>) =>
      some.flatMap(({ id, name }): Change[] => {
        const grant = moved.get(targetId)?.find((one) => one.id === id)
        const ends = kind === 'user.role_removed' && grant ? endsOf('id', { taken: [grant] }) : []
        return grant ? [{ kind, targetId, facts: { roleId: id, roleName: name, ends } }] : []
      })
    changes.set(targetId, [
      ...(expired.get(targetId)?.flatMap(([, some]) => some) ?? []),
      ...(Object.keys(changed).length ? [{ kind: 'user.updated', targetId, facts: { changed, groups: moves } } as const] : []),
      ...roleChange('user.role_added', roles.added, gained),
      ...roleChange('user.role_removed', roles.removed, lost),
      ...(following.get(targetId) ?? []),
    ])
  }
  return changes
}

/**
 * Changes people whom the caller has locked. Returns the changes and the refusals, by person. If no administrator would be left, it
 * refuses the last administrator in the order of `all`.
 */
export async function changePeople(tx: Tx, all: readonly Person[], wanted: Wanted, holders: HoldersOf<'users'>) {
  const refused: Map<number, Refusal> = wanted.isActive
    ? await findSwitchedOff(tx, idsOf(all.filter(({ isActive }) => !isActive)))
    : new Map()
  const people = all.filter(({ id }) => !refused.has(id))
  const takes = wanted.isActive === false || wanted.groups.removed.length > 0 || wanted.roles.removed.length > 0
  const administrators = new Set(takes ? await findLastingAdministrators(tx) : [])
  const changes = await change(
    tx,
    people.filter(({ id }) => !administrators.has(id)),
    wanted,
    holders,
  )
  let going = people.filter(({ id }) => administrators.has(id))
  if (going.length === 0) return { changes, refused }
  await sql`savepoint administrators`.execute(tx)
  let own = await change(tx, going, wanted, holders)
  try {
    await keepAnAdministrator(tx)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    await sql`rollback to savepoint administrators`.execute(tx)
    refused.set(going.at(-1)!.id, error)
    // The refused person stays an administrator, so the rest can be changed.
    going = going.slice(0, -1)
    own = await change(tx, going, wanted, holders)
  }
  for (const [id, some] of own) changes.set(id, some)
  return { changes, refused }
}
