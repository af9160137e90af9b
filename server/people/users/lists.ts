/** The lists of people for administrators. */
import { sql } from 'kysely'
import type { Reads } from '../../platform/database/db.ts'
import { patternFor } from '../../platform/database/search.ts'
import { startOfDay } from '../../platform/days.ts'
import { countOf, partIn, withIds } from '../../platform/http/lists.ts'
import type { Page } from '../../platform/http/page.ts'
import type { Language } from '../../platform/tables.ts'
import { readSettings } from '../../site/settings/queries.ts'
import { type Counts, nameAsListed, withProfile } from './queries.ts'
import { idsIn } from './rules.ts'

interface Filter {
  /** Service accounts are listed in place of people, never among them. */
  kind?: 'person' | 'service'
  q?: string
  groupId?: number
  sourceId?: number
  role?: string
  status?: 'active' | 'disabled'
  seenBefore?: string
  ids?: string
}
interface Sorting {
  sort?: 'name' | 'createdAt' | 'lastSeenAt'
  order?: 'asc' | 'desc'
}

/** Resolves the parts of a filter that need a query first: the search pattern, and the beginning of the day `seenBefore` in the office. */
async function prepare(db: Reads, { q, seenBefore }: Filter) {
  const begin = seenBefore === undefined ? null : startOfDay(seenBefore, (await readSettings(db)).timeZone)
  return { pattern: await patternFor(db, q), begin }
}

/** The people who hold a role, directly or through a group, with repetitions. */
function holdersOf(name: string) {
  const role = sql`(select id from roles where lower(name) = lower(${name}::text))`
  return sql<number>`(
    select user_id from user_roles where role_id = ${role} union all
    select user_id from group_roles join group_users using (group_id) where role_id = ${role})`
}

/**
 * The people `u` who match a filter, with the hour in UTC in which they were last seen. If a day of the office begins within such an hour,
 * those seen in it may have been seen on that day.
 */
const matching = (
  db: Reads,
  { kind = 'person', groupId, sourceId, role, status, ids }: Filter,
  { pattern, begin }: Awaited<ReturnType<typeof prepare>>,
) =>
  db
    .selectFrom('users as u')
    .leftJoin('lastSeen', 'lastSeen.userId', 'u.id')
    .where('u.kind', '=', kind)
    .$if(pattern !== null, (people) => people.where('u.search', 'like', pattern))
    .$if(status !== undefined, (people) => people.where('u.isActive', '=', status === 'active'))
    .$if(groupId !== undefined, (people) =>
      people.where('u.id', 'in', (eb) => eb.selectFrom('groupUsers').select('userId').where('groupId', '=', groupId!)),
    )
    .$if(sourceId !== undefined, (people) =>
      people.where('u.id', 'in', (eb) =>
        eb.selectFrom('provisionedUsers').select('userId').where('sourceId', '=', sourceId!).where('removedAt', 'is', null),
      ),
    )
    .$if(role !== undefined, (people) => people.where('u.id', 'in', holdersOf(role!)))
    .$if(begin !== null, (people) =>
      people.where(sql<boolean>`(last_seen.at is null or last_seen.at < date_trunc('hour', ${begin}::timestamptz))`),
    )
    .$if(ids !== undefined, (people) => people.where('u.id', '=', sql<number>`any(${idsIn(ids!)}::int[])`))

export const countPeople = async (db: Reads, filter: Filter) => countOf(matching(db, filter, await prepare(db, filter)))

/** The ids of everyone who matches the filter, sorted by display name in `language` by default. */
export async function findPeople(
  db: Reads,
  { sort = 'name', order = 'asc', limit, offset, ...filter }: Filter & Sorting & Page,
  language: Language,
) {
  const name = nameAsListed[language]
  const places = {
    name: `${name} ${order}, u.id ${order}`,
    createdAt: `u.created_at ${order}, u.id ${order}`,
    lastSeenAt: `last_seen.at ${order} nulls last, u.id ${order}`,
  }
  const found = matching(db, filter, await prepare(db, filter)).select('u.id')
  return (await partIn(found.orderBy(sql.raw(places[sort])), { limit, offset }).execute()).map(({ id }) => id)
}

/** Everyone who matches the filter, or a part of them, in batches. */
export async function* listPeople(db: Reads, filter: Filter & Sorting & Page, language: Language, counts: Counts) {
  yield* withIds(await findPeople(db, filter, language), (some) =>
    withProfile(db.selectFrom('users')).select(counts).where('users.id', '=', sql<number>`any(${some}::int[])`).execute(),
  )
}
