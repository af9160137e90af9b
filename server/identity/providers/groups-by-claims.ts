/** Groups that a provider’s claims put people into, or take them out of. */
import { sql } from 'kysely'
import { give, take } from '../../access/grants/queries.ts'
import { endsOf, type Grant, membershipsExpired } from '../../access/grants/rules.ts'
import { isAnyLastingAdministrator } from '../../platform/auth/last-admin.ts'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { displayName } from '../../platform/text.ts'
import type { Claimed } from '../sessions/claimed.ts'

export interface Moved {
  id: number
  name: string
}
interface ClaimedMoves {
  joined: Moved[]
  left: Moved[]
}
const none: ClaimedMoves = { joined: [], left: [] }

/**
 * The ids of the groups that the values of a claim stand for; null if the claim is missing. In a cookie, the ids take less room than the
 * values.
 */
export async function groupsOfClaim(db: Reads, providerId: number, { groups }: Pick<Claimed, 'groups'>) {
  if (groups === null) return null
  const ruled = await db
    .selectFrom('providerGroupRules')
    .select('groupId')
    .distinct()
    .where('providerId', '=', providerId)
    .where('value', '=', sql<string>`any(${groups}::text[])`)
    .execute()
  return ruled.map(({ groupId }) => groupId)
}

/**
 * The groups that a person would join and leave by a claim. A missing claim (null) changes nothing, and exceptions are never moved:
 * they must get in without the provider. Nor is anybody moved into a group that a source manages, which may have adopted the group after the
 * rule was made. `userId` is null for a new account.
 */
export async function movesByClaims(db: Reads, providerId: number, userId: number | null, { groups }: Pick<Claimed, 'groups'>) {
  if (groups === null) return none
  const isClaimed = typeof groups[0] === 'number' ? sql`group_id = any(${groups}::int[])` : sql`value = any(${groups}::text[])`
  const { rows } = await sql<Moved & { isClaimed: boolean }>`
    with ruled as (
      select group_id, bool_or(${isClaimed}) as is_claimed from provider_group_rules where provider_id = ${providerId} group by group_id)
    select g.id, g.name, is_claimed from ruled join groups g on g.id = ruled.group_id
    where is_claimed <> exists (select from group_users m where m.group_id = g.id and m.user_id = ${userId}::int)
      and (is_claimed or g.managed_by_provider = ${providerId})
      and not exists (select from provisioned_groups p where p.group_id = g.id and p.removed_at is null)
      and not exists (select from users where users.id = ${userId}::int and users.is_exception)
    order by g.id`.execute(db)
  const [joined, left] = [true, false].map((isJoined) =>
    rows.filter(({ isClaimed }) => isClaimed === isJoined).map(({ id, name }) => ({ id, name })),
  ) as [Moved[], Moved[]]
  return { joined, left }
}

/**
 * Moves a person into and out of groups; the command must hold the lock of changes of access. If that would remove the portal’s last
 * administrator, the membership stays and the administrators are notified.
 */
export async function moveByClaims(
  tx: Tx,
  { id: providerId, slug }: { id: number; slug: string },
  userId: number,
  claimed: Pick<Claimed, 'groups'>,
) {
  const { joined, left } = await movesByClaims(tx, providerId, userId, claimed)
  const { given, ended } = await give(tx, 'group', { userIds: [userId], ids: idsOf(joined) })
  const { taken, kept } = await leave(tx, userId, idsOf(left))
  const member = { part: 'users', memberId: userId, provider: slug } as const
  return [
    ...membershipsExpired(ended),
    ...given.map(({ id }): Change => ({ kind: 'group.member_added', targetId: id, facts: member, author: null })),
    ...taken.map((grant): Change => {
      const facts = { ...member, ends: endsOf('userId', { taken: [grant] }) }
      return { kind: 'group.member_removed', targetId: grant.id, facts, author: null }
    }),
    ...(kept.length ? await adminKept(tx, slug, kept, userId) : []),
  ]
}

const idsOf = (groups: readonly Moved[]) => groups.map(({ id }) => id)

/** Removes a person from groups, except from those that make them the last administrator. */
async function leave(tx: Tx, userId: number, ids: readonly number[]): Promise<{ taken: Grant[]; kept: number[] }> {
  await sql`savepoint administrators`.execute(tx)
  const taken = await take(tx, 'group', { userIds: [userId], ids })
  if (taken.length === 0 || (await isAnyLastingAdministrator(tx))) return { taken, kept: [] }
  await sql`rollback to savepoint administrators`.execute(tx)
  if (ids.length === 1) return { taken: [], kept: [...ids] }
  const each = []
  for (const id of ids) each.push(await leave(tx, userId, [id]))
  return { taken: each.flatMap((one) => one.taken), kept: each.flatMap((one) => one.kept) }
}

async function adminKept(tx: Tx, provider: string, groupIds: readonly number[], userId: number) {
  const person = await tx
    .selectFrom('users')
    .select(['username', 'displayNameAr', 'displayNameEn'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const facts = { provider, userId, personAr: displayName(person, 'ar'), personEn: displayName(person, 'en') }
  return groupIds.map((targetId): Change => ({ kind: 'group.admin_kept', targetId, facts, author: null }))
}
