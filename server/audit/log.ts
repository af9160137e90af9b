/** The audit log: the rows of the ledger that have an action, filtered, paged and exported. */
import { sql } from 'kysely'
import { inSnapshot, type Reads } from '../platform/database/db.ts'
import { daySpan, pageOf } from '../platform/http/page.ts'
import { actorOf, countLog, filterLog, type LogFilter, sumsOf } from './queries.ts'
import { revertOfFacts, withoutRevertOf } from './rules.ts'

type PagedFilter = LogFilter & { limit?: number; offset?: number }

const EXPORTED_ROWS = 50_000
const EXPORTED_AT_ONCE = 500
export const CSV_COLUMNS = ['action', 'actor_username', 'target_type', 'target_id', 'created_at', 'metadata'] as const

const columns = ['id', 'action', 'targetType', 'targetId', 'at', 'facts'] as const

/** Every action that the log has a row of. */
async function readActions(db: Reads) {
  const rows = await sumsOf(db, {}).select('action').distinct().orderBy('action').execute()
  return rows.map(({ action }) => action)
}

/** One page of the log, newest first, with the names of all actions there are. */
export async function readLog(db: Reads, filter: PagedFilter) {
  daySpan(filter)
  // One snapshot, so that the page and the count are of the same log.
  return inSnapshot(db, async (snapshot) => {
    const totalCount = await countLog(snapshot, filter)
    // Looking for what is not there would read all that one of the filters lets through.
    const rows = totalCount > filter.offset! ? await readPage(snapshot, filter) : []
    const entries = rows.map(({ id, action, targetType, targetId, at, facts, actor }) => ({
      id,
      action: action!,
      targetType,
      targetId: targetId || null,
      metadata: metadataOf(withoutRevertOf(facts)),
      createdAt: at,
      actor,
      revertOf: revertOfFacts(facts),
    }))
    return { ...pageOf('entries', entries, totalCount, filter), actions: await readActions(snapshot) }
  })
}

/** The actors are looked up for the rows of the page alone, not for those before it. */
const readPage = (db: Reads, filter: PagedFilter) =>
  db
    .selectFrom(
      filterLog(db, filter)
        .select([...columns, 'actorId', 'actorUsername'])
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(filter.limit!)
        .offset(filter.offset!)
        .as('page'),
    )
    .select([...columns, actorOf('page').as('actor')])
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .execute()

const metadataOf = (facts: Record<string, unknown>) => (Object.keys(facts).length ? facts : null)

interface Place {
  place: string
  id: number
}
/** The first of the two lets whole months be passed over. */
const isOlder = ({ place, id }: Place) => sql<boolean>`at <= ${place}::timestamptz and (at, id) < (${place}::timestamptz, ${id})`

/** How many rows of a filter are too many for the CSV. */
export const countOmitted = async (db: Reads, filter: LogFilter) => Math.max(0, (await countLog(db, filter)) - EXPORTED_ROWS)

/** The rows of the CSV, newest first, some at a time; 50,000 at most. */
export async function* pageLogRows(db: Reads, filter: LogFilter) {
  const rows = filterLog(db, filter)
    // As text: a date of ours would cut a time to milliseconds.
    .select([...columns, sql<string>`at::text`.as('place'), actorOf('ledger').as('actor')])
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(EXPORTED_AT_ONCE)

  let last: Place | undefined
  for (let sent = 0; sent < EXPORTED_ROWS; sent += EXPORTED_AT_ONCE) {
    const page = await rows.$if(last !== undefined, (some) => some.where(isOlder(last!))).execute()
    yield page.map(({ action, targetType, targetId, at, facts, actor }) => {
      const metadata = metadataOf(facts)
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
