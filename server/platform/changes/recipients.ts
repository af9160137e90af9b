/** The recipients of events and notices: known ids, or queries that the recording statement evaluates. */
import { sql } from 'kysely'
import type { Event, PeopleQuery, Recipients } from './change-kind.ts'
import { type Cte, part } from './statement.ts'

const isQuery = (to: Event['to']): to is PeopleQuery => to !== 'everyone' && !Array.isArray(to)
const isNobody = (to: Event['to']) => Array.isArray(to) && to.length === 0

/** The recipients of one event or notice: ids, or the index of a query. If both are null, it is for everyone. */
interface Addressed {
  ids: number[] | null
  query: number | null
}

/** The recipients of many events and notices. Each query is evaluated once, however many of them share it. */
export interface People {
  part: Cte
  address(to: Event['to']): Addressed
}

/** A part `people` of the statement, with the ids that each query finds. */
export function peopleOf(all: readonly Event['to'][]): People {
  const queries = [...new Set(all.filter(isQuery))]
  const rows = queries.map((query, place) => sql`(${sql.lit(place)}, ${query})`)
  const found = rows.length ? sql`values ${sql.join(rows)}` : sql`select null::int, null::int[] where false`
  return {
    part: part('people', ['place', 'ids'], found),
    address(to) {
      if (to === 'everyone') return { ids: null, query: null }
      return isQuery(to) ? { ids: null, query: queries.indexOf(to) } : { ids: [...new Set(to)], query: null }
    },
  }
}

function union(all: Recipients[]): Recipients {
  const ids = all.filter(Array.isArray).flat()
  const queries = [...new Set(all.filter(isQuery))]
  if (queries.length === 0) return ids
  if (queries.length === 1 && ids.length === 0) return queries[0]!
  const lists = [sql`${ids}::int[]`, ...queries]
  return sql<number[]>`array(${sql.join(
    lists.map((list) => sql`select unnest(${list})`),
    sql` union `,
  )})`
}

/**
 * Merges events that differ only in recipients, at the place of the last one: a commit with ten changes to a day sends one event for that
 * day. Events for nobody are dropped.
 */
export function mergeAlike(events: Event[]): Event[] {
  const some = events.filter(({ to }) => !isNobody(to))
  if (some.length < 2) return some
  const alike = Map.groupBy(some.toReversed(), ({ to: _, ...said }) => JSON.stringify(said))
  return Array.from(alike.values(), mergeRecipients).reverse()
}

function mergeRecipients(alike: Event[]): Event {
  const lists: Recipients[] = []
  for (const { to } of alike) {
    if (to === 'everyone') return { ...alike[0]!, to }
    lists.push(to)
  }
  return { ...alike[0]!, to: union(lists) }
}
