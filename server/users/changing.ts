/** Changes many people at once: each with the effects of a single change, and a verdict. */
import { sql } from 'kysely'
import { findAdministrators, keepAnAdministrator } from '../platform/auth/last-admin.ts'
import { changedFields } from '../platform/changes/change-kind.ts'
import type { HoldersOf } from '../platform/changes/deletion-hooks.ts'
import type { Change } from '../platform/changes/outcome.ts'
import type { Tx } from '../platform/database/db.ts'
import { changedSet } from '../platform/database/sets.ts'
import { Refusal } from '../platform/errors/refusal.ts'
import type { Language } from '../tables.ts'

interface Role {
  id: number
  name: string
}
/** The state that all of them are to have. */
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

/** Locks people in the order of all commands, and reads them. Skips people who do not exist. */
export async function lockPeople(tx: Tx, ids: readonly number[]) {
  await sql`select from user_access where user_id = any(${ids}::int[]) order by user_id for update`.execute(tx)
  await sql`select from users where id = any(${ids}::int[]) order by id for no key update`.execute(tx)
  const { rows } = await sql<Person>`
    select id, is_active, preferred_language from users where id = any(${ids}::int[])`.execute(tx)
  return new Map(rows.map((person) => [person.id, person]))
}

const idsOf = (some: readonly { id: number }[]) => some.map(({ id }) => id)

const holdings = { groups: ['group_users', 'group_id'], roles: ['user_roles', 'role_id'] } as const

/** Gives all of them all of these, or takes them away. Returns what each gained or lost. */
async function move(tx: Tx, how: 'give' | 'take', what: keyof typeof holdings, userIds: readonly number[], ids: readonly number[]) {
  if (userIds.length === 0 || ids.length === 0) return new Map<number, number[]>()
  const [table, column] = holdings[what]
  const [held, other] = [sql.table(table), sql.ref(column)]
  const { rows } = await (how === 'give'
    ? sql<{ userId: number; id: number }>`
        insert into ${held} (user_id, ${other})
        select one, given from unnest(${userIds}::int[]) as one, unnest(${ids}::int[]) as given order by 1, 2
        on conflict do nothing returning user_id, ${other} as id`
    : sql<{ userId: number; id: number }>`
        delete from ${held} where user_id = any(${userIds}::int[]) and ${other} = any(${ids}::int[]) returning user_id, ${other} as id`
  ).execute(tx)
  const moved = Map.groupBy(rows, ({ userId }) => userId)
  return new Map(Array.from(moved, ([userId, some]) => [userId, some.map(({ id }) => id).sort((one, other) => one - other)]))
}

/** Changes people who are locked. Returns the changes of each; none for those who already were as asked. */
async function change(tx: Tx, people: readonly Person[], wanted: Wanted, holders: HoldersOf<'users'>) {
  const { groups, roles, ...fields } = wanted
  const userIds = idsOf(people)
  const joined = await move(tx, 'give', 'groups', userIds, groups.added)
  const left = await move(tx, 'take', 'groups', userIds, groups.removed)
  const gained = await move(tx, 'give', 'roles', userIds, idsOf(roles.added))
  const lost = await move(tx, 'take', 'roles', userIds, idsOf(roles.removed))
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
    const moves = { added: joined.get(targetId) ?? [], removed: left.get(targetId) ?? [] }
    const changed = { ...changedFields(person, fields), ...changedSet('groupIds', moves) }
    const roleChange = (kind: 'user.role_added' | 'user.role_removed', some: readonly Role[], moved: Map<number, number[]>) =>
      some
        .filter(({ id }) => moved.get(targetId)?.includes(id))
        .map(({ id, name }): Change => ({ kind, targetId, facts: { roleId: id, roleName: name } }))
    changes.set(targetId, [
      ...(Object.keys(changed).length ? [{ kind: 'user.updated', targetId, facts: { changed, groups: moves } } as const] : []),
      ...roleChange('user.role_added', roles.added, gained),
      ...roleChange('user.role_removed', roles.removed, lost),
      ...(following.get(targetId) ?? []),
    ])
  }
  return changes
}

/**
 * Changes people who are locked. Returns the changes of each, and the refusals. If no administrator would be left, it refuses the last of
 * the administrators in the order of `people`.
 */
export async function changePeople(tx: Tx, people: readonly Person[], wanted: Wanted, holders: HoldersOf<'users'>) {
  const takes = wanted.isActive === false || wanted.groups.removed.length > 0 || wanted.roles.removed.length > 0
  const administrators = new Set(takes ? await findAdministrators(tx) : [])
  const changes = await change(
    tx,
    people.filter(({ id }) => !administrators.has(id)),
    wanted,
    holders,
  )
  const refused = new Map<number, Refusal>()
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
    // As long as the last one stays, there is an administrator.
    going = going.slice(0, -1)
    own = await change(tx, going, wanted, holders)
  }
  for (const [id, some] of own) changes.set(id, some)
  return { changes, refused }
}
