/** The audit log: the rows of the ledger that have an action, filtered, paged and exported. */
import { sql } from 'kysely'
import { inSnapshot, type Reads } from '../../platform/database/db.ts'
import { searchPattern } from '../../platform/database/search.ts'
import { refuseField } from '../../platform/errors/refusal.ts'
import { partIn } from '../../platform/http/lists.ts'
import { DAY_MS, daySpan, type Page, pageOf } from '../../platform/http/page.ts'
import { actorOf, namesAt, thingOf } from './names.ts'
import { countDays, countLog, filterLog, type LogFilter, sumsOf } from './queries.ts'
import { idsNamed, revertOfFacts, withNames, withoutRevertOf } from './rules.ts'
import { MOST_DAYS } from './shapes.ts'

type LogQuery = Omit<LogFilter, 'names'> & { q?: string }
type PagedFilter = LogQuery & { limit?: number; offset?: number; before?: number }

/** The most rows to count in a search by names; nobody turns that many pages. */
const MOST_COUNTED = 10_000

const EXPORTED_ROWS = 50_000
const EXPORTED_AT_ONCE = 500
export const CSV_COLUMNS = ['action', 'actor_username', 'target_type', 'target_id', 'created_at', 'metadata'] as const

const columns = ['id', 'action', 'targetType', 'targetId', 'at', 'facts'] as const

async function readActions(db: Reads) {
  const rows = await sumsOf(db, {}).select('action').distinct().orderBy('action').execute()
  return rows.map(({ action }) => action)
}

/** One page of the log, newest first, with the names of all actions in the log. */
export async function readLog(db: Reads, filter: PagedFilter) {
  daySpan(filter)
  // The page and the count match only if both come from one snapshot.
  return inSnapshot(db, async (snapshot) => {
    const wanted = await filterOf(snapshot, filter)
    const page = { limit: filter.limit!, offset: filter.offset! }
    const before = filter.before === undefined ? null : await findPlace(snapshot, filter.before)
    const totalCount = await countLog(snapshot, wanted, wanted.names === undefined ? undefined : MOST_COUNTED)
    // A page beyond the last match is not read, because the search for it would read everything that the other filters let through.
    const mayBeMore = totalCount > page.offset || (wanted.names !== undefined && totalCount === MOST_COUNTED)
    const found = mayBeMore ? await readPage(snapshot, wanted, { ...page, limit: page.limit + 1 }, before) : []
    const rows = found.slice(0, page.limit)
    const refs = await namesAt(snapshot, rows.map(namingOf))
    const entries = rows.map(({ id, action, targetType, targetId, at, facts, actor }, n) => ({
      id,
      action: action!,
      targetType,
      targetId: targetId || null,
      metadata: metadataOf(withoutRevertOf(facts)),
      createdAt: at,
      actor,
      revertOf: revertOfFacts(facts),
      refs: refs[n]!,
    }))
    const nextOffset = found.length > rows.length ? page.offset + rows.length : null
    return { ...pageOf('entries', entries, totalCount, page), nextOffset, actions: await readActions(snapshot) }
  })
}

async function filterOf(db: Reads, { q, ...filter }: LogQuery): Promise<LogFilter> {
  return q ? { ...filter, names: await searchPattern(db, q) } : filter
}

/** The number of rows that match a filter on each day. */
export async function readLogDays(db: Reads, { from, to, ...filter }: LogQuery & { from: string; to: string }) {
  const { start, end } = daySpan({ from, to })
  if (end!.getTime() - start!.getTime() > MOST_DAYS * DAY_MS) refuseField('to', 'maxDays', { limit: MOST_DAYS })
  return countDays(db, { ...(await filterOf(db, filter)), from, to })
}

/** The position of an entry. Refuses an unknown one. */
async function findPlace(db: Reads, id: number) {
  const found = await db.selectFrom('ledger').select(['id', PLACE]).where('id', '=', id).executeTakeFirst()
  return found ?? refuseField('before', 'exists')
}

/** Looks the actors up for the rows of the page only, not for the rows before it. */
function readPage(db: Reads, filter: LogFilter, page: Page, before: Place | null) {
  const found = filterLog(db, filter)
    .$if(before !== null, (older) => older.where(isOlder(before!)))
    .select([...columns, PLACE, 'actorId', 'actorUsername'])
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
  return db
    .selectFrom(partIn(found, page).as('page'))
    .select([...columns, 'place', actorOf('page').as('actor')])
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

interface Named {
  targetType: string
  targetId: number
  facts: Record<string, unknown>
  place: string
}
const namingOf = ({ targetType, targetId, facts, place }: Named) => ({
  at: place,
  ids: idsNamed(thingOf.get(targetType), targetId, facts),
})

const metadataOf = (facts: Record<string, unknown>) => (Object.keys(facts).length ? facts : null)

/** The time of a row as text, because a JavaScript date would cut it to milliseconds. */
const PLACE = sql<string>`at::text`.as('place')
interface Place {
  place: string
  id: number
}
/** The first condition lets PostgreSQL skip the partitions of later months. */
const isOlder = ({ place, id }: Place) => sql<boolean>`at <= ${place}::timestamptz and (at, id) < (${place}::timestamptz, ${id})`

/** How many of the rows that match a filter do not fit into the CSV. */
export const countOmitted = async (db: Reads, filter: LogQuery) =>
  Math.max(0, (await countLog(db, await filterOf(db, filter))) - EXPORTED_ROWS)

/** The rows of the CSV, newest first, in batches; 50,000 at most. */
export async function* pageLogRows(db: Reads, filter: LogQuery) {
  const rows = filterLog(db, await filterOf(db, filter))
    .select([...columns, PLACE, actorOf('ledger').as('actor')])
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(EXPORTED_AT_ONCE)

  let last: Place | undefined
  for (let sent = 0; sent < EXPORTED_ROWS; sent += EXPORTED_AT_ONCE) {
    const page = await rows.$if(last !== undefined, (some) => some.where(isOlder(last!))).execute()
    const gone = await namesAt(db, page.map(namingOf), { isGone: true })
    yield page.map(({ action, targetType, targetId, at, facts, actor }, n) => {
      const metadata = withNames(facts, gone[n]!)
      return [
        action!,
        actor?.username ?? '',
        targetType,
        targetId ? String(targetId) : '',
        at.toISOString(),
        metadata ? JSON.stringify(metadata) : '',
      ]
    })
    if (page.length < EXPORTED_AT_ONCE) return
    last = page.at(-1)!
  }
}
