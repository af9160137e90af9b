/** The records that people have open, stored in the database for all instances. */
import { sql } from 'kysely'
import type { PeopleQuery } from '../../platform/changes/change-kind.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { personJson } from '../../platform/database/json.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { MOST_LISTED, type Person, type Place, type recordTypes } from './shapes.ts'

/** How long a presence lasts without renewal. Pages renew theirs every 20 seconds, so one lost renewal does no harm. */
const LASTS = sql`interval '45 seconds'`
const isFresh = sql`presences.seen_at > clock_timestamp() - ${LASTS}`

/** The most places at which one person is present, one for each tab. A further place replaces the one renewed longest ago. */
const MOST_PLACES = 20

const keyOf = ({ targetType, targetId, date }: Place) => `${targetType} ${targetId ?? date}`

const tables: Record<Exclude<(typeof recordTypes)[number], 'settings'>, string> = {
  user: 'users',
  group: 'groups',
  role: 'roles',
  permission: 'permissions',
  app: 'apps',
  service: 'services',
  service_category: 'service_categories',
  order: 'orders',
}
/** Refuses `not_found` if there is no such record. */
export async function checkRecord(db: Reads, type: (typeof recordTypes)[number], id: number) {
  if (type === 'settings') return id === 1 ? undefined : refuse('not_found')
  const { rows } = await sql`select from ${sql.table(tables[type])} where id = ${id}`.execute(db)
  return rows.length ? undefined : refuse('not_found')
}

/** Adds or renews a presence; returns whether other people present see a change. Calls for one place take turns. */
export async function appear(tx: Tx, userId: number, place: Place, isEditing: boolean) {
  const key = keyOf(place)
  await sql`select pg_advisory_xact_lock(hashtext('presence'), hashtext(${key}))`.execute(tx)
  const { rows } = await sql<{ isSame: boolean }>`
    with gone as (delete from presences where place = ${key} and user_id <> ${userId} and not ${isFresh} returning user_id),
      before as (select is_editing from presences where place = ${key} and user_id = ${userId} and ${isFresh}),
      noted as (
        insert into presences (place, user_id, is_editing, since, seen_at)
        values (${key}, ${userId}, ${isEditing}, clock_timestamp(), clock_timestamp())
        on conflict (place, user_id) do update set is_editing = excluded.is_editing, seen_at = excluded.seen_at,
          since = case when ${isFresh} then presences.since else excluded.since end)
    select exists (select from before where is_editing = ${isEditing}) and not exists (select from gone) as is_same`.execute(tx)
  await sql`
    delete from presences where user_id = ${userId} and place in (
      select place from presences where user_id = ${userId} order by seen_at desc offset ${MOST_PLACES})`.execute(tx)
  return !rows[0]!.isSame
}

/** The people present at a place who may still see it, at most `MOST_LISTED`, in the order of arrival. */
export async function listPresent(db: Reads, place: Place, entitled: PeopleQuery) {
  const { rows } = await sql<Person>`
    select ${sql.raw(personJson('u'))} as user, is_editing as editing, since
    from presences join users as u on u.id = user_id
    where place = ${keyOf(place)} and ${isFresh} and user_id = any(${entitled})
    order by since, user_id limit ${MOST_LISTED}`.execute(db)
  return rows
}
