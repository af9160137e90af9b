/** Closing a review: deciding its items, portion by portion. Portions of one review run one at a time. */
import { sql } from 'kysely'
import { blockCommands } from '../../platform/auth/last-admin.ts'
import { inPlan } from '../../platform/auth/planned.ts'
import type { Author } from '../../platform/changes/change-kind.ts'
import { type Change, changedIf, type Outcome } from '../../platform/changes/outcome.ts'
import { inSnapshot, type Reads, type Tx } from '../../platform/database/db.ts'
import { addJob } from '../../platform/jobs/runner.ts'
import { findReturned } from '../../work/orders/queries.ts'
import { RECEIVE } from '../../work/service-teams/rules.ts'
import { endsOf, type Grant } from '../grants/rules.ts'
import { type AdminGrant, type Fate, type Leaving, lastAdminItems, type SkipReason, titlesOf } from './rules.ts'

/** The most items that `closeSome` decides in one transaction, and the most that `keepSome` marks as kept. */
const [MOST_REMOVED, MOST_KEPT] = [50, 1000]

const KEYED = sql`id, user_id, case when group_id is null then 'role' else 'group' end as kind, coalesce(group_id, role_id) as target_id`

/**
 * The items that must stay, because without them no administrator would be left or, while a provider is required, no administrator who can
 * sign in without it. Reads nothing if `administering` is empty.
 */
async function neededFor(db: Reads, administering: readonly Leaving[]) {
  if (administering.length === 0) return new Set<number>()
  const { rows: grants } = await sql<AdminGrant & { breaksGlass: boolean }>`
    with admin as (select id from roles where name = 'admin'),
      administering as (
        select user_id, 'role' as kind, role_id as target_id from direct_roles where expires_at is null and role_id = (select id from admin)
        union all
        select user_id, 'group', group_id from memberships
        where expires_at is null and group_id in (select group_id from group_roles where role_id = (select id from admin)))
    select user_id, administering.kind, target_id,
      user_id in (select user_id from ready_exceptions) and (select passwords from sign_in_settings) = 'exceptions' as breaks_glass
    from administering join users on users.id = user_id where is_active and users.kind = 'person'`.execute(db)
  const needed = lastAdminItems(
    administering,
    grants.filter(({ breaksGlass }) => breaksGlass),
  )
  const others = administering.filter(({ id }) => !needed.has(id))
  return needed.union(lastAdminItems(others, grants))
}

interface Preview {
  keepCount: number
  removeCount: number
  skipped: { itemId: number; reason: SkipReason }[]
  ordersReturned: number
}
/** The effects that closing an open review would have now. */
export const previewClosing = (db: Reads, reviewId: number): Promise<Preview> =>
  inSnapshot(db, async (snapshot) => {
    // The administrator who closes the review also confirms removals that nobody has confirmed yet.
    const fates = sql`
      select ${KEYED}, gives_admin, case fate when 'not_confirmed' then 'remove' else fate end as fate
      from review_fates where review_id = ${reviewId}`
    const { rows } = await sql<{ keepCount: number; removeCount: number; skipped: Preview['skipped']; administering: Leaving[] }>`
      with fates as materialized (${fates})
      select count(*) filter (where fate = 'keep') as keep_count, count(*) filter (where fate = 'remove') as remove_count,
        coalesce(json_agg(json_build_object('itemId', id, 'reason', fate) order by id) filter (where fate not in ('keep', 'remove')), '[]') as skipped,
        coalesce(json_agg(json_build_object('id', id, 'userId', user_id, 'kind', kind, 'targetId', target_id) order by id)
          filter (where fate = 'remove' and gives_admin), '[]') as administering
      from fates`.execute(snapshot)
    const [{ keepCount, removeCount, skipped, administering }] = rows as [(typeof rows)[number]]
    const needed = await neededFor(snapshot, administering)
    const { rows: leaving } = await sql<Leaving>`
      select id, user_id, kind, target_id from (${fates}) as fates where fate = 'remove' and id <> all(${[...needed]}::int[])`.execute(
      snapshot,
    )
    const all = [...skipped, ...Array.from(needed, (itemId) => ({ itemId, reason: 'last_admin' as const }))]
    return {
      keepCount,
      removeCount: removeCount - needed.size,
      skipped: all.sort((one, other) => one.itemId - other.itemId),
      ordersReturned: await countReturned(snapshot, leaving),
    }
  })

/** How many orders in work would be handed back if these grants went. */
function countReturned(db: Reads, leaving: readonly Leaving[]) {
  const [groups, roles] = [leaving.filter(({ kind }) => kind === 'group'), leaving.filter(({ kind }) => kind === 'role')]
  const plan = {
    user_roles: { taken: roles.map(({ userId, targetId }) => [userId, targetId] as const) },
    group_users: { taken: groups.map(({ userId, targetId }) => [targetId, userId] as const) },
  }
  const among = leaving.map(({ userId }) => userId)
  return inPlan(db, plan, async (snapshot) => {
    const { count } = await findReturned(snapshot, {
      deletedPeople: [],
      among,
      receivers: sql`
        select held.user_id from planned.held_roles as held join role_permissions using (role_id) join permissions on permissions.id = permission_id
        where permissions.name = ${RECEIVE} and held.user_id = any(${among}::int[])`,
      memberships: groups.map(({ userId, targetId }) => ({ userId, otherId: targetId, isAdded: false })),
      most: 1,
    })
    return count
  })
}

/**
 * Begins to close an open review, and adds the job that closes it. The caller must have locked the review. If `by` is null, the time of the
 * review must be over. Returns the titles of the review; undefined if it cannot be closed.
 */
export async function beginClosing(tx: Tx, reviewId: number, by: Author) {
  const isDue = by ? sql`true` : sql`clock_timestamp() >= end_of_day(due_date)`
  const { rows } = await sql<{ titleAr: string | null; titleEn: string | null }>`
    with begun as (
        update access_reviews set status = 'closing', ended_at = clock_timestamp(), closed_by = ${by?.id ?? null}::int,
          closed_by_username = ${by?.username ?? null}::text
        where id = ${reviewId} and status = 'open' and ${isDue} returning id, title_ar, title_en),
      -- Only items of administrators can lack a reviewer.
      unjudged as (
        update access_review_items set is_unjudged = true
        where id in (
          select id from review_fates
          where review_id = (select id from begun) and user_id = any((select active_in_roles(array['admin']))::int[]) and fate = 'no_reviewer'))
    select title_ar, title_en from begun`.execute(tx)
  if (!rows[0]) return
  await addClosing(tx, reviewId)
  return rows[0]
}

/** Adds the job that closes a review. Jobs of one review run one at a time. */
export const addClosing = (tx: Tx, reviewId: number) =>
  addJob(tx, 'close_access_review', { reviewId }, { queue: `access_review_${reviewId}` })

interface Closing {
  titleAr: string | null
  titleEn: string | null
  author: Author
}
/** A review that is being closed, with the person who closed it; undefined for any other review. */
async function readClosing(tx: Tx, reviewId: number): Promise<Closing | undefined> {
  const { rows } = await sql<{ titleAr: string | null; titleEn: string | null; closedBy: number | null; closedByUsername: string | null }>`
    select title_ar, title_en, closed_by, closed_by_username from access_reviews where id = ${reviewId} and status = 'closing'`.execute(tx)
  if (!rows[0]) return
  const { closedBy, closedByUsername, ...titles } = rows[0]
  return { ...titles, author: closedBy === null ? null : { id: closedBy, username: closedByUsername! } }
}

/** Marks as `kept` some of the items whose grants stay; returns how many. */
export async function keepSome(tx: Tx, reviewId: number): Promise<Outcome<number>> {
  const closing = await readClosing(tx, reviewId)
  if (!closing) return changedIf(0, [])
  const { rows } = await sql<{ id: number }>`
    update access_review_items set outcome = 'kept'
    where id in (
      select i.id from access_review_items as i join access_reviews as r on r.id = i.review_id
      where i.review_id = ${reviewId} and i.outcome is null and (i.verdict = 'keep' or i.verdict is null and r.if_silent = 'keep')
      order by i.id limit ${MOST_KEPT} for update of i)
    returning id`.execute(tx)
  if (rows.length === 0) return changedIf(0, [])
  return changedIf(rows.length, [applied(reviewId, closing, { kept: rows.length, removed: 0, skipped: 0 })])
}

const applied = (targetId: number, { author }: Closing, facts: Record<'kept' | 'removed' | 'skipped', number>): Change => ({
  kind: 'access_review.applied',
  targetId,
  facts,
  author,
})

interface Due extends Leaving {
  fate: Fate
  givesAdmin: boolean
}
/** The next items without an outcome. */
async function readDue(tx: Tx, reviewId: number) {
  const { rows } = await sql<Due>`
    select ${KEYED}, fate, gives_admin
    from review_fates where review_id = ${reviewId} and outcome is null order by id limit ${MOST_REMOVED}`.execute(tx)
  return rows
}

/** The items with their fates, which become `last_admin` for items that must stay. */
async function decide(tx: Tx, due: readonly Due[]) {
  const administering = due.filter(({ fate, givesAdmin }) => fate === 'remove' && givesAdmin)
  const needed = await neededFor(tx, administering)
  return due.map((item): Due => (needed.has(item.id) ? { ...item, fate: 'last_admin' } : item))
}

const outcomeOf = (fate: Fate) =>
  fate === 'keep' ? { outcome: 'kept' } : fate === 'remove' ? { outcome: 'removed' } : { outcome: 'skipped', skipReason: fate }

const setOutcomes = (tx: Tx, items: readonly Due[]) =>
  sql`
    update access_review_items as i set outcome = line.outcome, skip_reason = line."skipReason"
    from jsonb_to_recordset(${JSON.stringify(items.map(({ id, fate }) => ({ id, ...outcomeOf(fate) })))}::jsonb)
      as line (id int, outcome text, "skipReason" text)
    where i.id = line.id`.execute(tx)

/** Takes the grants of these items away; returns the change of each. */
async function removeGrants(tx: Tx, reviewId: number, items: readonly Leaving[], author: Author) {
  const [groups, roles] = [items.filter(({ kind }) => kind === 'group'), items.filter(({ kind }) => kind === 'role')]
  const pairs = (some: readonly Leaving[]) =>
    sql`select * from unnest(${some.map(({ userId }) => userId)}::int[], ${some.map(({ targetId }) => targetId)}::int[])`
  const changes: Change[] = []
  if (groups.length) {
    const { rows } = await sql<Grant>`
      delete from memberships where (user_id, group_id) in (${pairs(groups)}) returning user_id, group_id as id, expires_at`.execute(tx)
    for (const grant of rows) {
      const facts = { part: 'users', memberId: grant.userId, ends: endsOf('userId', { taken: [grant] }), accessReviewId: reviewId } as const
      changes.push({ kind: 'group.member_removed', targetId: grant.id, facts, author })
    }
  }
  if (roles.length) {
    const { rows } = await sql<Grant & { name: string }>`
      with gone as (delete from direct_roles where (user_id, role_id) in (${pairs(roles)}) returning user_id, role_id, expires_at)
      select user_id, role_id as id, expires_at, name from gone join roles on roles.id = role_id order by user_id, role_id`.execute(tx)
    for (const { name, ...grant } of rows) {
      const facts = { roleId: grant.id, roleName: name, ends: endsOf('id', { taken: [grant] }), accessReviewId: reviewId }
      changes.push({ kind: 'user.role_removed', targetId: grant.userId, facts, author })
    }
  }
  return changes
}

/**
 * Decides a portion of the items and removes the grants that go; the last portion closes the review. Returns whether the review is closed.
 */
export async function closeSome(tx: Tx, reviewId: number): Promise<Outcome<boolean>> {
  const closing = await readClosing(tx, reviewId)
  if (!closing) return changedIf(true, [])
  const due = await readDue(tx, reviewId)
  if (due.length === 0) return changedIf(true, [await finish(tx, reviewId, closing)])
  const items = await decide(tx, due)
  const leaving = items.filter(({ fate }) => fate === 'remove')
  // Waits for running commands of the people who lose grants, as every change of access does.
  await sql`
    select from user_access where user_id = any(${leaving.map(({ userId }) => userId)}::int[]) order by user_id for update`.execute(tx)
  // Waits for all other commands, too: a command that has locked its caller may be about to lock the review, or an item whose person it
  // renames.
  await blockCommands(tx)
  await setOutcomes(tx, items)
  const removed = await removeGrants(tx, reviewId, leaving, closing.author)
  const kept = items.filter(({ fate }) => fate === 'keep').length
  const done = applied(reviewId, closing, { kept, removed: leaving.length, skipped: items.length - kept - leaving.length })
  const isOver = due.length < MOST_REMOVED
  return changedIf(isOver, [...removed, done, ...(isOver ? [await finish(tx, reviewId, closing)] : [])])
}

async function finish(tx: Tx, reviewId: number, { author, ...titles }: Closing): Promise<Change> {
  await sql`update access_reviews set status = 'closed', closed_at = clock_timestamp() where id = ${reviewId}`.execute(tx)
  return { kind: 'access_review.finished', targetId: reviewId, facts: titlesOf(titles), author }
}
