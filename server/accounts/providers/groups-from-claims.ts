/** Groups that follow from the claims of a provider. */
import { sql } from 'kysely'
import { give, take } from '../../grants/queries.ts'
import { endsOf, membershipsExpired } from '../../grants/rules.ts'
import { isAnyLastingAdministrator } from '../../platform/auth/last-admin.ts'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { displayName } from '../../platform/text.ts'

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
 * The groups that a person would join and leave by these values. Null values say nothing; nor do claims move an exception, who must get in
 * whatever the provider says. `userId` null: somebody new.
 */
export async function movesByClaims(db: Reads, providerId: number, userId: number | null, values: readonly string[] | null) {
  if (values === null) return none
  const { rows } = await sql<Moved & { isClaimed: boolean }>`
    with ruled as (
      select group_id, bool_or(value = any(${values}::text[])) as is_claimed from provider_group_rules where provider_id = ${providerId}
      group by group_id)
    select g.id, g.name, is_claimed from ruled join groups g on g.id = ruled.group_id
    where is_claimed <> exists (select from group_users m where m.group_id = g.id and m.user_id = ${userId}::int)
      and (is_claimed or g.managed_by_provider = ${providerId})
      and not exists (select from users where users.id = ${userId}::int and users.is_exception)
    order by g.id`.execute(db)
  const [joined, left] = [true, false].map((isJoined) =>
    rows.filter(({ isClaimed }) => isClaimed === isJoined).map(({ id, name }) => ({ id, name })),
  ) as [Moved[], Moved[]]
  return { joined, left }
}

/**
 * Moves a person into and out of groups, within a change of access. A group that the portal’s last administrator would lose with it stays,
 * and the administrators are told.
 */
export async function moveByClaims(
  tx: Tx,
  { id: providerId, slug }: { id: number; slug: string },
  userId: number,
  values: readonly string[] | null,
) {
  const { joined, left } = await movesByClaims(tx, providerId, userId, values)
  const by = { author: null, targetId: 0 }
  const { given, ended } = await give(tx, 'group', { userIds: [userId], ids: joined.map(({ id }) => id) })
  const changes: Change[] = [
    ...membershipsExpired(ended),
    ...given.map((grant): Change => {
      const facts = { part: 'users', memberId: userId, provider: slug } as const
      return { ...by, kind: 'group.member_added', targetId: grant.id, facts }
    }),
  ]
  for (const group of left) {
    await sql`savepoint administrators`.execute(tx)
    const taken = await take(tx, 'group', { userIds: [userId], ids: [group.id] })
    if (taken.length === 0) continue
    if (!(await isAnyLastingAdministrator(tx))) {
      await sql`rollback to savepoint administrators`.execute(tx)
      changes.push(await adminKept(tx, slug, group.id, userId))
      continue
    }
    const facts = { part: 'users', memberId: userId, ends: endsOf('userId', { taken }), provider: slug } as const
    changes.push({ ...by, kind: 'group.member_removed', targetId: group.id, facts })
  }
  return changes
}

async function adminKept(tx: Tx, provider: string, groupId: number, userId: number): Promise<Change> {
  const person = await tx
    .selectFrom('users')
    .select(['username', 'displayNameAr', 'displayNameEn'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const facts = { provider, userId, personAr: displayName(person, 'ar'), personEn: displayName(person, 'en') }
  return { kind: 'group.admin_kept', targetId: groupId, facts, author: null }
}
