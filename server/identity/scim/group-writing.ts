/** Creating, adopting and changing groups at the request of a source. */
import { sql } from 'kysely'
import { give, removeEnds, take, takeAll } from '../../access/grants/queries.ts'
import { endsOf, endsRemoved, membershipsExpired } from '../../access/grants/rules.ts'
import {
  closePolicies,
  countDependents,
  insertGroup,
  membersOf as memberIdsOf,
  removeGroup,
  setFields,
} from '../../people/groups/queries.ts'
import type { HoldersOf } from '../../platform/changes/deletion-hooks.ts'
import type { Change } from '../../platform/changes/outcome.ts'
import { brokenUnique, type Tx } from '../../platform/database/db.ts'
import { hasMoved, movesBetween } from '../../platform/database/sets.ts'
import { cleanText, hasLongMarkRun, isVisible } from '../../platform/text.ts'
import { refuseScim } from './errors.ts'
import type { GroupEdit } from './group-moves.ts'
import { adminsMoved, type GroupRow, givesAnything, isOwn, peopleAmong } from './group-queries.ts'
import type { CallingSource } from './queries.ts'

/** The name of a group as it is stored. */
export function nameOfGroup(text: string) {
  const name = hasLongMarkRun(text) ? '' : cleanText(text, 'line')
  return name !== '' && isVisible(name) ? name : refuseScim('invalidValue', 'displayName is no name.')
}

/** Whether a change names the group as the source knows it: by its name, or by any id at the source. */
export const isNamed = ({ name }: GroupRow, { displayName = '', externalId }: GroupEdit) =>
  typeof externalId === 'string' || cleanText(displayName, 'line').toLowerCase() === name.toLowerCase()

const ids = (some: readonly { userId: number }[]) => some.map(({ userId }) => userId).sort((one, other) => one - other)

/**
 * Moves people into and out of a group, which is locked. Refuses `invalidValue` for ids that are not people of the source. Exceptions are
 * refused, too, unless the call lists all members (`isExact`), because a source still names them there. Their own memberships stay.
 */
async function moveMembers(tx: Tx, source: CallingSource, groupId: number, { isExact, joins, leaves }: GroupEdit): Promise<Change[]> {
  const { people, exceptions } = await peopleAmong(tx, source.id, [...joins])
  if (people.length + (isExact ? exceptions.length : 0) < joins.size) refuseScim('invalidValue', 'A member is no person of this source.')
  const { added, removed } = isExact ? movesBetween(await memberIdsOf(tx, groupId), people) : { added: people, removed: [...leaves] }
  const kept = new Set((await peopleAmong(tx, source.id, removed)).exceptions)
  const { given, ended } = await give(tx, 'group', { userIds: added, ids: [groupId] })
  const taken = await take(tx, 'group', { userIds: removed.filter((id) => !kept.has(id)), ids: [groupId] })
  const moves = { added: ids(given), removed: ids(taken) }
  const ends = endsOf('userId', { taken })
  return [
    ...membershipsExpired(ended),
    ...(hasMoved(moves)
      ? [{ kind: 'group.members_moved', targetId: groupId, facts: { ...moves, ...(ends.length && { ends }) } } as const]
      : []),
  ]
}

/** Takes over a group. Members who are not people of the source leave it. */
async function adopt(tx: Tx, source: CallingSource, groupId: number): Promise<Change[]> {
  const members = await memberIdsOf(tx, groupId)
  const { people, exceptions } = await peopleAmong(tx, source.id, members)
  const own = new Set([...people, ...exceptions])
  const taken = await take(tx, 'group', { userIds: members.filter((id) => !own.has(id)), ids: [groupId] })
  const left = ids(taken)
  const ends = endsOf('userId', { taken })
  return [
    { kind: 'group.adopted', targetId: groupId, facts: { source: source.name, left } },
    ...(left.length
      ? [{ kind: 'group.members_moved', targetId: groupId, facts: { added: [], removed: left, ends } } satisfies Change]
      : []),
    ...(await closePolicies(tx, [groupId])),
  ]
}

async function keepRecord(tx: Tx, groupId: number, sourceId: number, externalId: string | null) {
  await sql`
    insert into provisioned_groups (group_id, source_id, external_id) values (${groupId}, ${sourceId}, ${externalId}::text)
    on conflict (group_id) do update set source_id = excluded.source_id, external_id = excluded.external_id, removed_at = null,
      version = provisioned_groups.version + 1, modified_at = now()`
    .execute(tx)
    .catch((error: unknown) => {
      if (brokenUnique(error) === 'provisioned_group_id_taken')
        refuseScim('uniqueness', 'Another group of this source has this externalId.', 'name_taken')
      throw error
    })
}

/** Writes the changes of a group, which the caller must have locked. Returns them; none if the call changes nothing. */
export async function writeGroup(tx: Tx, source: CallingSource, group: GroupRow, edit: GroupEdit): Promise<Change[]> {
  const { id } = group
  const isAdopted = !isOwn(group, source)
  const before = isAdopted ? null : group.externalId
  const externalId = edit.externalId === undefined ? before : edit.externalId
  const name = edit.displayName === undefined ? group.name : nameOfGroup(edit.displayName)
  const changes = isAdopted ? await adopt(tx, source, id) : []
  if (name !== group.name) {
    await setFields(tx, id, { name })
    const nothing = { added: [], removed: [] }
    const moves = { users: nothing, roles: nothing, apps: nothing }
    changes.push({ kind: 'group.updated', targetId: id, facts: { changed: { name: { from: group.name, to: name } }, moves } })
  }
  if (externalId !== before) {
    const nothing = { added: [], removed: [] }
    const moves = { users: nothing, roles: nothing, apps: nothing }
    changes.push({ kind: 'group.updated', targetId: id, facts: { changed: { externalId: { from: before, to: externalId } }, moves } })
  }
  const moved = await moveMembers(tx, source, id, edit)
  if (isAdopted) changes.push(...endsRemoved(await removeEnds(tx, [id])))
  if (moved.length) changes.push(...(await adminsMoved(tx, source, [id])))
  if (changes.length || moved.length) await keepRecord(tx, id, source.id, externalId)
  return [...changes, ...moved]
}

/** Creates a group of the source. Refuses `name_taken` and `uniqueness`. */
export async function createGroup(tx: Tx, source: CallingSource, edit: GroupEdit) {
  const name = nameOfGroup(edit.displayName!)
  const id = await insertGroup(tx, { name })
  await keepRecord(tx, id, source.id, edit.externalId ?? null)
  const created: Change = { kind: 'group.created', targetId: id, facts: { name, userIds: [], roleIds: [], appIds: [] } }
  return { id, changes: [created, ...(await moveMembers(tx, source, id, edit))] }
}

/** Empties a group and deletes it. A group that gives roles or apps stays, without a source. */
export async function removeGroupOfSource(tx: Tx, source: CallingSource, group: GroupRow, holders: HoldersOf<'groups'>): Promise<Change[]> {
  const { id, name } = group
  const dependents = await countDependents(tx, id, holders.counts)
  const { taken, ended } = await takeAll(tx, 'group', { id })
  const left = ids(taken)
  const ends = endsOf('userId', { taken })
  if (!(await givesAnything(tx, id))) {
    const following = await holders.remove(tx, id, () => removeGroup(tx, id))
    const facts = { name, userIds: left, roleIds: [], appIds: [], ends, dependents, isForced: false }
    return [...membershipsExpired(ended), { kind: 'group.deleted', targetId: id, facts }, ...following]
  }
  await tx
    .updateTable('provisionedGroups')
    .set({ externalId: null, removedAt: new Date(), modifiedAt: new Date() })
    .where('groupId', '=', id)
    .execute()
  return [
    ...membershipsExpired(ended),
    { kind: 'group.released', targetId: id, facts: { source: source.name } },
    ...(left.length ? [{ kind: 'group.members_moved', targetId: id, facts: { added: [], removed: left, ends } } satisfies Change] : []),
    ...(left.length ? await adminsMoved(tx, source, [id]) : []),
  ]
}
