/** Groups as a source finds them: its own, and those that it could adopt. */
import { sql } from 'kysely'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Reads } from '../../platform/database/db.ts'
import { keyOf } from '../../platform/database/search.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import type { CallingSource } from './queries.ts'

export interface GroupRow {
  id: number
  name: string
  isSystem: boolean
  createdAt: Date
  ofProvider: boolean
  givesAdmin: boolean
  sourceId: number | null
  externalId: string | null
  version: number | null
  modifiedAt: Date | null
  removedAt: Date | null
}

export const groupColumns = sql`
  g.id, g.name, g.is_system, g.created_at, g.managed_by_provider is not null as of_provider, p.source_id, p.external_id, p.version,
  p.modified_at, p.removed_at,
  exists (select from group_roles where group_id = g.id and role_id = (select id from roles where name = 'admin')) as gives_admin`
const joined = sql`from groups g left join provisioned_groups p on p.group_id = g.id`

export const isOwnGroup = (sourceId: number) => sql<boolean>`p.source_id = ${sourceId} and p.removed_at is null`

export const isOwn = ({ sourceId, removedAt }: GroupRow, source: CallingSource) => sourceId === source.id && removedAt === null
/**
 * Whether a source may take over a group: the source’s settings allow it, nobody manages the group, and it is neither a system group nor
 * makes its members administrators.
 */
export const mayAdopt = (group: GroupRow, source: CallingSource) =>
  source.adoptGroups && !group.isSystem && !group.ofProvider && !group.givesAdmin && (group.sourceId === null || group.removedAt !== null)

const findWhere = async (db: Reads, which: ReturnType<typeof sql>) =>
  (await sql<GroupRow>`select ${groupColumns} ${joined} where ${which}`.execute(db)).rows[0]

export const findByName = (db: Reads, name: string) => findWhere(db, sql`g.name_key = ${keyOf(name)}`)
export const findByExternalId = (db: Reads, sourceId: number, externalId: string) =>
  findWhere(db, sql`${isOwnGroup(sourceId)} and p.external_id = ${externalId}`)

/** Whether a source sees a group by its id. It finds a group that it has deleted only by the name. */
const maySee = (group: GroupRow, source: CallingSource) => isOwn(group, source) || (mayAdopt(group, source) && group.sourceId !== source.id)

/**
 * Finds a group that a source sees by its id, or one that the source has deleted if the call names it and so adopts it again. Refuses
 * `not_found`: a late call must not bring a deleted group back.
 */
export async function findVisibleGroup(db: Reads, source: CallingSource, id: number | undefined, names?: (group: GroupRow) => boolean) {
  const group = id === undefined ? undefined : await findWhere(db, sql`g.id = ${id}`)
  return group && (maySee(group, source) || (mayAdopt(group, source) && names?.(group))) ? group : refuse('not_found')
}

const BATCH = 5000

export interface Member {
  id: number
  display: string
}
/**
 * The members that the source manages, in batches. Exceptions are left out, and so are members who would leave if the source adopted the
 * group.
 */
export async function* membersOf(db: Reads, sourceId: number, groupId: number) {
  for (let after = 0; ; ) {
    const { rows } = await sql<Member>`
      select u.id, coalesce(nullif(u.display_name_en, ''), nullif(u.display_name_ar, ''), u.username) as display
      from group_users m join users u on u.id = m.user_id and u.kind = 'person' and not u.is_exception
        join provisioned_users p on p.user_id = u.id and p.source_id = ${sourceId} and p.removed_at is null
      where m.group_id = ${groupId} and m.user_id > ${after} order by m.user_id limit ${BATCH}`.execute(db)
    if (rows.length === 0) return
    yield rows
    after = rows.at(-1)!.id
  }
}

/** Splits the ids that belong to the source into its people and the exceptions, which it no longer sees. */
export async function peopleAmong(db: Reads, sourceId: number, ids: readonly number[]) {
  if (ids.length === 0) return { people: [], exceptions: [] }
  const { rows } = await sql<{ id: number; isException: boolean }>`
    select p.user_id as id, u.is_exception from provisioned_users p join users u on u.id = p.user_id and u.kind = 'person'
    where p.user_id = any(${ids}::int[]) and p.source_id = ${sourceId} and p.removed_at is null order by 1`.execute(db)
  const idsOf = (isException: boolean) => rows.filter((one) => one.isException === isException).map(({ id }) => id)
  return { people: idsOf(false), exceptions: idsOf(true) }
}

/** Whether a group gives a role or an app, so that it stays when its source deletes it. */
export async function givesAnything(db: Reads, groupId: number) {
  const { rows } = await sql`
    select from group_roles where group_id = ${groupId} union all select from group_apps where group_id = ${groupId} limit 1`.execute(db)
  return rows.length > 0
}

/** The changes that tell administrators that a source has moved the members of groups that make people administrators. */
export async function adminsMoved(db: Reads, source: CallingSource, groupIds: readonly number[]): Promise<Change[]> {
  if (groupIds.length === 0) return []
  const { rows } = await sql<{ id: number; name: string }>`
    select g.id, g.name from groups g join group_roles r on r.group_id = g.id and r.role_id = (select id from roles where name = 'admin')
    where g.id = any(${groupIds}::int[]) order by g.id`.execute(db)
  return rows.map(({ id, name }) => ({ kind: 'group.admins_moved', targetId: id, facts: { source: source.name, name } }))
}
