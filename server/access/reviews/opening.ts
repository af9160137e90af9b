/** Making a review: its items, each with the evidence about its grant. */
import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { noteSent } from '../../platform/jobs/reminders.ts'
import { hasUnjudged } from './people.ts'
import { unjudgedReminders } from './reminders.ts'
import { MOST_ITEMS, type Verdict } from './rules.ts'

interface NewReview {
  titleAr: string | null
  titleEn: string | null
  groupIds: readonly number[]
  roleIds: readonly number[]
  reviewerUserIds: readonly number[]
  dueDate: string
  ifSilent: Verdict
  /** Whether the call that makes the review uses a token or a session. */
  decidedWith: 'token' | 'session'
}
interface By {
  id: number
  username: string
}

/** The grants that are reviewed, those of service accounts among them. */
const grantsOf = ({ groupIds, roleIds }: Pick<NewReview, 'groupIds' | 'roleIds'>) => sql`
  select user_id, group_id, null::int as role_id, changed_at, expires_at from memberships
  where group_id = any(${groupIds}::int[]) and (expires_at is null or expires_at > statement_timestamp())
  union all
  select user_id, null, role_id, changed_at, expires_at from direct_roles
  where role_id = any(${roleIds}::int[]) and (expires_at is null or expires_at > statement_timestamp())`

/** How many items a review would have. Refuses `too_many_items`. */
async function countItems(tx: Tx, review: NewReview) {
  const { rows } = await sql<{ count: number }>`select count(*) from (${grantsOf(review)}) as grants`.execute(tx)
  const { count } = rows[0]!
  return count > MOST_ITEMS ? refuse('too_many_items') : count
}

/**
 * Opens a review of the grants of its groups and roles that hold now. Refuses `too_many_items`. Also returns whether only administrators
 * may judge some items.
 */
export async function openReview(tx: Tx, review: NewReview, by: By) {
  const itemCount = await countItems(tx, review)
  const { titleAr, titleEn, groupIds, roleIds, reviewerUserIds, dueDate, ifSilent } = review
  const { rows } = await sql<{ id: number }>`
    insert into access_reviews (title_ar, title_en, group_ids, role_ids, reviewer_user_ids, due_date, if_silent, created_by, created_by_username)
    values (${titleAr}, ${titleEn}, ${groupIds}, ${roleIds}, ${reviewerUserIds}, ${dueDate}, ${ifSilent}, ${by.id}, ${by.username})
    returning id`.execute(tx)
  const { id } = rows[0]!
  await addItems(tx, id, review)
  const isUnjudged = await hasUnjudged(tx, id)
  if (isUnjudged) await noteSent(tx, unjudgedReminders, id)
  return { id, itemCount, hasUnjudged: isUnjudged }
}

/**
 * Adds the items in the order of usernames, so that their ids follow it, too. A grant is known by its person and a key: the id of its
 * group, or minus the id of its role. Apps that the same keys show are one class, so that a role that shows hundreds of apps costs no more
 * than a role that shows one.
 */
const addItems = (tx: Tx, id: number, review: NewReview) =>
  sql`
    with held as materialized (
        select *, coalesce(group_id, -role_id) as key from (${grantsOf(review)}) as grants),

      -- The last entry of the histories that gave each grant.
      entries as (
        select h.id, member as user_id, h.target_id as key, h.at, h.actor_id, h.actor_username
        from permission_history as h cross join unnest(h.added) as member
        where h.kind = 'group.users' and h.target_id = any(${review.groupIds}::int[])
        union all
        select h.id, h.target_id, -role, h.at, h.actor_id, h.actor_username
        from permission_history as h cross join unnest(h.added) as role
        where h.kind = 'user.roles' and role = any(${review.roleIds}::int[])),
      given as materialized (
        select distinct on (user_id, key) user_id, key, at, actor_id, actor_username from entries order by user_id, key, entries.id desc),

      -- The keys to each app that is not open to everyone.
      opened as materialized (select app_id, role_id, group_id from app_openings),
      shown as (
        select app_id, key from (
          select app_id, -role_id as key from opened where role_id is not null
          union
          select app_id, group_id from opened where group_id is not null
          union
          select app_id, gr.group_id from opened join group_roles as gr using (role_id)) as keyed
        where app_id not in (select app_id from opened where role_id is null and group_id is null)),
      keyed_apps as (select app_id, array_agg(key order by key) as keys from shown group by app_id),
      classes as materialized (
        select row_number() over () as class, keys, array_agg(app_id order by app_id) as app_ids from keyed_apps
        where keys && (${review.groupIds}::int[] || array(select -one from unnest(${review.roleIds}::int[]) as one))
        group by keys),
      class_keys as materialized (select class, unnest(keys) as key from classes),

      -- The classes that a person sees by one key only.
      holdings as (
        select user_id, key from (
          select user_id, group_id as key from group_users union all select user_id, -role_id from user_roles) as every
        where user_id in (select user_id from held) and key in (select key from class_keys)),
      single as materialized (
        select user_id, class, min(key) as key from holdings join class_keys using (key) group by user_id, class having count(*) = 1),
      own_apps as (
        select user_id, key, array_agg(app_id order by app_id) as app_ids
        from single join classes using (class) cross join unnest(app_ids) as app_id group by user_id, key),
      class_apps as (select unnest(app_ids) as app_id, class from classes),
      used as (
        select o.user_id, single.key, max(o.created_at) as at
        from app_opens as o join class_apps using (app_id) join single on single.user_id = o.user_id and single.class = class_apps.class
        group by o.user_id, single.key)
    insert into access_review_items (review_id, user_id, username, name_ar, name_en, group_id, role_id, target_name, granted_at, expires_at,
      since, granted_by, granted_by_username, app_ids, last_used_at, decided_with)
    select ${id}::int, u.id, u.username, coalesce(nullif(u.display_name_ar, ''), nullif(u.display_name_en, ''), u.username),
      coalesce(nullif(u.display_name_en, ''), nullif(u.display_name_ar, ''), u.username), held.group_id, held.role_id,
      coalesce(g.name, ro.name), held.changed_at, held.expires_at, given.at, given.actor_id, given.actor_username,
      coalesce(own_apps.app_ids, '{}'), used.at,
      -- A silent review that would take a grant of the role admin must be confirmed: see guardAdministration.
      case when ${review.ifSilent === 'remove' && review.decidedWith === 'session'}::boolean and (select confirm_administration from sign_in_settings)
        and (ro.name = 'admin' or g.id in (select group_id from group_roles where role_id = (select id from roles where name = 'admin')))
        then 'confirmation' else ${review.decidedWith} end
    from held join users as u on u.id = held.user_id
      left join groups as g on g.id = held.group_id
      left join roles as ro on ro.id = held.role_id
      left join given on given.user_id = held.user_id and given.key = held.key
      left join own_apps on own_apps.user_id = held.user_id and own_apps.key = held.key
      left join used on used.user_id = held.user_id and used.key = held.key
    order by u.username, u.id, held.key`.execute(tx)
