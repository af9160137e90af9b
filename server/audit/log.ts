/** The audit log: the rows of the ledger that have an action, filtered, paged and exported. */
import { sql } from 'kysely'
import type { Reads } from '../platform/db.ts'
import { daySpan, pageOf } from '../platform/page.ts'
import { actorOf } from './queries.ts'

export interface LogFilter {
  action?: string
  from?: string
  to?: string
  actorUserId?: number
  targetType?: string
  targetId?: number
  forcedOnly?: boolean
}
type PagedFilter = LogFilter & { limit?: number; offset?: number }

const EXPORTED_ROWS = 50_000
const EXPORTED_AT_ONCE = 500
export const CSV_COLUMNS = ['action', 'actor_username', 'target_type', 'target_id', 'created_at', 'metadata'] as const

/** Its words are those of an index. */
const FORCED = sql<boolean>`action like '%.force_delete'`

/** The rows that a filter lets through. Refuses impossible dates. */
function filterLog(db: Reads, { action, actorUserId, targetType, targetId, forcedOnly, ...days }: LogFilter) {
  const { start, end } = daySpan(days)
  return db
    .selectFrom('changes')
    .where('action', 'is not', null)
    .$if(action !== undefined, (some) => some.where('action', '=', action!))
    .$if(forcedOnly === true, (some) => some.where(FORCED))
    .$if(actorUserId !== undefined, (some) => some.where('actorId', '=', actorUserId!))
    .$if(targetType !== undefined, (some) => some.where('about', '=', targetType!))
    .$if(targetId !== undefined, (some) => some.where('subject', '=', targetId!))
    .$if(start !== null, (some) => some.where('at', '>=', start!))
    .$if(end !== null, (some) => some.where('at', '<', end!))
}

const columns = ['id', 'action', 'about', 'subject', 'at', 'facts'] as const

/** The sums that the counts hold besides each day's and each actor's. */
const [EVERYONE, ALL_DAYS] = [-1, '-infinity']

/** How many rows those are: from counts kept by day where no target is named, so that a log of millions is counted as fast as a short one. */
async function countLog(db: Reads, filter: LogFilter) {
  const { action, actorUserId, targetType, targetId, forcedOnly, from, to } = filter
  if (targetId !== undefined) {
    const { count } = await filterLog(db, filter).select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()
    return count
  }
  const { count } = await db
    .selectFrom('auditCounts')
    .select(sql<number>`coalesce(sum(count), 0)::bigint`.as('count'))
    .where('actorId', '=', actorUserId ?? EVERYONE)
    .where('day', from || to ? '>' : '=', ALL_DAYS)
    .$if(from !== undefined, (some) => some.where('day', '>=', from!))
    .$if(to !== undefined, (some) => some.where('day', '<=', to!))
    .$if(action !== undefined, (some) => some.where('action', '=', action!))
    .$if(forcedOnly === true, (some) => some.where(FORCED))
    .$if(targetType !== undefined, (some) => some.where('about', '=', targetType!))
    .executeTakeFirstOrThrow()
  return count
}

/** Every action that the log has a row of. */
async function readActions(db: Reads) {
  const sums = db.selectFrom('auditCounts').where('actorId', '=', EVERYONE).where('day', '=', ALL_DAYS)
  const rows = await sums.select('action').distinct().orderBy('action').execute()
  return rows.map(({ action }) => action)
}

/** One page of the log, newest first, with the names of all actions there are. */
export async function readLog(db: Reads, filter: PagedFilter) {
  daySpan(filter)
  // One snapshot, so that the page and the count are of the same log.
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (snapshot) => {
      const totalCount = await countLog(snapshot, filter)
      // Looking for what is not there would read all that one of the filters lets through.
      const rows = totalCount > filter.offset! ? await readPage(snapshot, filter) : []
      const entries = rows.map(({ id, action, about, subject, at, facts, actor }) => ({
        id,
        action: action!,
        targetType: about,
        targetId: subject || null,
        metadata: metadataOf(facts),
        createdAt: at,
        actor,
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

/** The rows of the CSV, newest first, some at a time; 50,000 at most. */
export async function* pageLogRows(db: Reads, filter: LogFilter) {
  const rows = filterLog(db, filter)
    // As text: a date of ours would cut a time to milliseconds.
    .select([...columns, sql<string>`at::text`.as('place'), actorOf('changes').as('actor')])
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(EXPORTED_AT_ONCE)

  let last: Place | undefined
  for (let sent = 0; sent < EXPORTED_ROWS; sent += EXPORTED_AT_ONCE) {
    const page = await rows.$if(last !== undefined, (some) => some.where(isOlder(last!))).execute()
    yield page.map(({ action, about, subject, at, facts, actor }) => {
      const metadata = metadataOf(facts)
      return [
        action!,
        actor?.username ?? '',
        about,
        subject ? String(subject) : '',
        at.toISOString(),
        metadata ? JSON.stringify(metadata) : '',
      ]
    })
    if (page.length < EXPORTED_AT_ONCE) return
    last = page.at(-1)!
  }
}
