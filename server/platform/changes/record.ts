/** Records changes with everything that follows from them, in the caller's transaction and in one statement. */
import { type RawBuilder, sql } from 'kysely'
import type { TSchema } from 'typebox'
import type { Tx } from '../database/db.ts'
import { writerOf } from '../json.ts'
import type { AnyKind, Author, Event, History, Notice, PeopleQuery, RevertOf, Settled } from './change-kind.ts'
import type { Change } from './outcome.ts'
import { mergeAlike, type People, peopleOf } from './recipients.ts'
import { type Cte, part, statementOf } from './statement.ts'

/** A notice, and the id of its author, for whom it counts as read from the start; null if it is unread for everyone. */
export type SentNotice = Notice & { authorId: number | null }
/** The parts of the statement that write and settle notices, and the queries that select the resulting events (see `EventRows`). */
export type WriteNotices = (notices: SentNotice[], settled: Settled[], people: People) => { parts: Cte[]; events: EventRows[] }
/** SQL that selects events: columns `rank` (their order), `event`, `data` as json, `recipients` (null is everyone), `sessions`. */
export type EventRows = RawBuilder<unknown>

/** `readers`: SQL of the ids of people who get an event for each new entry of the audit log. `select`: SQL of these events. */
export interface EntriesEvent {
  readers: PeopleQuery
  select: (entries: Cte, to: RawBuilder<unknown>) => EventRows
}

/** The lists of `server/lists`, which are passed in. */
export interface Lists {
  changeKinds: Record<string, AnyKind>
  events: Record<string, TSchema>
  writeNotices: WriteNotices
  entriesEvent: EntriesEvent
}

interface By {
  actorId: number | null
  actorUsername: string | null
}
interface Entry extends By {
  kind: string
  targetType: string
  targetId: number
  action: string | null
  facts: unknown
  /** Whether the ledger keeps only the first change of this kind to the same person within a minute. */
  isGathered: boolean
}
interface Consequences {
  entries: Entry[]
  histories: (History & By & { revertOf: RevertOf | undefined })[]
  notices: SentNotice[]
  settled: Settled[]
  events: Event[]
}

/**
 * Writes the ledger rows, the histories, the notifications and the events of changes. An event whose data does not fit its schema
 * fails, and its transaction with it.
 */
export function recorder({ changeKinds, events: schemas, writeNotices, entriesEvent }: Lists) {
  const dataOf = ({ event, data }: Event) => writerOf(schemas[event]!)(data)

  return async (tx: Tx, caller: Author, changes: Change[]) => {
    if (changes.length === 0) return
    const { entries, histories, notices, settled, events } = await follow(tx, changeKinds, caller, changes)
    const merged = mergeAlike(events)
    const logged = entries.some(({ action }) => action !== null) ? [entriesEvent.readers] : []
    const people = peopleOf([...notices.map(({ recipients }) => recipients), ...merged.map(({ to }) => to), ...logged])

    const written = entries.length ? insertEntries(entries) : null
    const parts = written ? [...written.gathered, written.entries] : []
    if (histories.length) parts.push(insertHistories(histories))
    if (notices.length || merged.length || logged.length) parts.push(people.part)
    const noticed = writeNotices(notices, settled, people)
    parts.push(...noticed.parts)
    const sent = merged.length ? [...noticed.events, selectEvents(merged, dataOf, people)] : noticed.events
    for (const readers of logged)
      sent.push(
        entriesEvent.select(written!.entries, sql`(select ids from ${people.part.name} where place = ${people.address(readers).query})`),
      )
    if (sent.length) parts.push(insertEvents(sent))
    await statementOf(parts).execute(tx)
  }
}
export type RecordChanges = ReturnType<typeof recorder>

/** Collects the ledger entries, histories, notices and events that the kinds of the changes define. */
async function follow(tx: Tx, kinds: Lists['changeKinds'], caller: Author, changes: Change[]) {
  const all: Consequences = { entries: [], histories: [], notices: [], settled: [], events: [] }
  for (const change of changes) {
    const { targetType, isKept = true, isGathered = false, audits, histories, notifies, emits, settles } = kinds[change.kind]!
    const author = change.author === undefined ? caller : change.author
    const authored = { ...change, author }
    const by = { actorId: author?.id ?? null, actorUsername: author?.username ?? null }
    const entry = { kind: change.kind, targetType, targetId: change.targetId, isGathered, ...by }
    const { revertOf } = change
    const linked = (facts: object) => (revertOf ? { ...facts, revertOf } : facts)

    const rows = audits === 'nothing' ? [] : [audits(authored)].flat()
    if (rows.length === 0 && isKept) all.entries.push({ ...entry, action: null, facts: linked(change.facts) })
    for (const { action, metadata = change.facts } of rows) all.entries.push({ ...entry, action, facts: linked(metadata) })
    if (histories) all.histories.push(...histories(authored).map((history) => ({ ...history, ...by, revertOf })))
    if (notifies)
      all.notices.push(...(await notifies(tx, authored)).map((notice) => ({ ...notice, authorId: notice.tellsAuthor ? null : by.actorId })))
    if (settles) all.settled.push(...settles(authored))
    if (emits !== 'nothing') all.events.push(...(await emits(tx, authored)))
  }
  return all
}

const COLUMNS = sql`
  kind text, "targetType" text, "targetId" int, "actorId" int, "actorUsername" text, action text, facts jsonb, "isGathered" boolean, place int`

const ENTRY = ['id', 'target_type', 'target_id', 'action', 'actor_id']
function insertEntries(entries: Entry[]) {
  const placed = entries.map((entry, place) => ({ ...entry, place }))
  const lines = sql`jsonb_to_recordset(${JSON.stringify(placed)}::jsonb) as entry (${COLUMNS})`
  const gathered = entries.some(({ isGathered }) => isGathered) ? gather(lines) : undefined
  const kept = gathered
    ? sql`where not exists (select from ${gathered.name} as g where g.user_id = "targetId" and g.kind = entry.kind and g.since <> now())`
    : sql``
  const body = sql`
    insert into ledger (kind, target_type, target_id, actor_id, actor_username, action, facts)
    select kind, "targetType", "targetId", "actorId", "actorUsername", action, facts from ${lines} ${kept} order by place
    returning ${sql.raw(ENTRY.join())}`
  return { gathered: gathered ? [gathered] : [], entries: part('entries', ENTRY, body) }
}

/** Groups the changes of one kind to one person that come within a minute of the group's beginning. Returns when each group began. */
const gather = (lines: RawBuilder<unknown>) =>
  part(
    'gathered',
    ['user_id', 'kind', 'since'],
    sql`
      insert into gathered_changes as g (user_id, kind, since, last)
      select distinct "targetId", kind, now(), now() from ${lines}
      where "isGathered" and exists (select from users where id = "targetId" offset 0) order by 1, 2
      on conflict (user_id, kind) do update set last = now(),
        since = case when g.since <= now() - interval '1 minute' then now() else g.since end
      returning user_id, kind, since`,
  )

const insertHistories = (histories: Consequences['histories']) =>
  part(
    'histories',
    [],
    sql`
      insert into permission_history (kind, target_id, added, removed, actor_id, actor_username, revert_of, ends)
      select kind, target, added, removed, "actorId", "actorUsername", "revertOf", coalesce(ends, '[]')
      from jsonb_to_recordset(${JSON.stringify(histories)}::jsonb)
        as history (kind text, target int, added int[], removed int[], "actorId" int, "actorUsername" text, "revertOf" jsonb, ends jsonb)`,
  )

/** The data is passed as text, so that it is sent exactly as it was written. */
function selectEvents(events: Event[], dataOf: (event: Event) => string, people: People): EventRows {
  const lines = events.map((event, rank) => ({
    rank,
    event: event.event,
    data: dataOf(event),
    sessions: event.sessions,
    ...people.address(event.to),
  }))
  return sql`
    select rank, event, data::json, coalesce(line.ids, ${people.part.name}.ids) as recipients, sessions
    from json_to_recordset(${JSON.stringify(lines)}::json)
      as line (rank bigint, event text, data text, sessions int[], ids int[], query int)
    left join ${people.part.name} on ${people.part.name}.place = line.query`
}

/**
 * An event gets the number of its transaction, or a higher one if transactions with higher numbers had ended when it was written. A
 * transaction gets its number with its first lock, but its events must come after those of the transactions that it has waited for since.
 */
const insertEvents = (selects: EventRows[]) =>
  part(
    'events_addressed',
    [],
    sql`
      insert into events (tx, event, data, recipients, sessions)
      select greatest(pg_current_xact_id(), (pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)::text::xid8),
        event, data, recipients, sessions
      from (${sql.join(
        selects.map((select, place) => sql`select ${sql.lit(place)} as place, * from (${select}) as event`),
        sql` union all `,
      )}) as all_addressed
      where recipients is null or cardinality(recipients) > 0
      order by place, rank`,
  )
