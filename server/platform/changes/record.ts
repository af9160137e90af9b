/** record(): everything that follows from a change, in the caller's transaction. */
import { type RawBuilder, sql } from 'kysely'
import type { Static } from 'typebox'
import { changeKinds } from '../../changes.ts'
import { notices as texts } from '../../notices.ts'
import type { Tx } from '../database/db.ts'
import type { Change as AnyChange, Author, ChangeKind, Event, History, Notice } from './change-kind.ts'

type Kinds = typeof changeKinds
export type Change = { [K in keyof Kinds]: { kind: K } & AnyChange<Static<Kinds[K]['facts']>> }[keyof Kinds]

/** Writes the ledger rows, the histories, the notifications and the events of changes. */
export async function record(tx: Tx, caller: Author, changes: Change[]) {
  const lines: Line[] = []
  const histories: (History & By)[] = []
  const notices: Notice[] = []
  const events: Event[] = []
  for (const change of changes) {
    const kind = changeKinds[change.kind] as ChangeKind
    const author = change.author ?? caller
    const made = { ...change, author }
    const by = { actorId: author?.id ?? null, actorUsername: author?.username ?? null }
    const audits: { action: string | null; metadata?: unknown }[] = kind.audits === 'nothing' ? [] : [kind.audits(made)].flat()
    for (const { action, metadata = change.facts } of audits.length ? audits : [{ action: null }])
      lines.push({ kind: change.kind, targetType: kind.targetType, targetId: change.targetId, ...by, action, facts: metadata })
    if (kind.histories !== 'nothing') for (const history of kind.histories(made)) histories.push({ ...history, ...by })
    if (kind.tells !== 'nobody') for (const notice of await kind.tells(tx, made)) if (notice.recipients.length) notices.push(notice)
    if (kind.emits !== 'nothing') for (const event of await kind.emits(tx, made)) if (event.to.length) events.push(event)
  }
  if (lines.length) await write(tx, lines, histories, notices, joinAlike(events))
}

/** What a commit has to say several times, as of a day whose meetings all moved, it says once, at last, to all whom it reaches. */
function joinAlike(events: Event[]) {
  if (events.length < 2) return events
  const alike = Map.groupBy(events.toReversed(), ({ to: _, ...said }) => JSON.stringify(said))
  return Array.from(alike.values(), joinReach).reverse()
}

function joinReach(alike: Event[]): Event {
  const people: number[][] = []
  for (const { to, ...said } of alike) {
    if (to === 'everyone') return { ...said, to }
    people.push(to)
  }
  return { ...alike[0]!, to: people.flat() }
}

interface By {
  actorId: number | null
  actorUsername: string | null
}
interface Line extends By {
  kind: string
  targetType: string
  targetId: number
  action: string | null
  facts: unknown
}

/** One statement, however much there is: each costs a way to the database and back while rows are locked. */
async function write(tx: Tx, lines: Line[], histories: (History & By)[], notices: Notice[], events: Event[]) {
  const parts = [insertLines(lines)]
  if (histories.length) parts.push(insertHistories(histories))
  if (notices.length) parts.push(insertNotices(notices))
  const told = [...(notices.length ? [noticeEvents] : []), ...(events.length ? [ownEvents(events)] : [])]
  if (told.length) parts.push(insertEvents(sql.join(told, sql` union all `)))
  await sql`with ${sql.join(parts)} select`.execute(tx)
}

const insertLines = (lines: Line[]) => sql`lines as (
  insert into ledger (kind, target_type, target_id, actor_id, actor_username, action, facts)
  select kind, "targetType", "targetId", "actorId", "actorUsername", action, facts
  from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb)
    as line (kind text, "targetType" text, "targetId" int, "actorId" int, "actorUsername" text, action text, facts jsonb))`

const insertHistories = (histories: (History & By)[]) => sql`histories as (
  insert into permission_history (kind, target_id, added, removed, actor_id, actor_username)
  select kind, target, added, removed, "actorId", "actorUsername"
  from jsonb_to_recordset(${JSON.stringify(histories)}::jsonb)
    as history (kind text, target int, added int[], removed int[], "actorId" int, "actorUsername" text))`

const fill = (template: string | null, words: Record<string, string> = {}) =>
  template?.replace(/\{(\w+)\}/g, (_, word: string) => words[word] ?? '') ?? null

/** A notification for each person told, and the pushes to their browsers. Whoever was deleted meanwhile is told nothing. */
function insertNotices(notices: Notice[]) {
  const lines = notices.map(({ recipients, template, params, ...rest }) => ({
    ...rest,
    recipients: [...new Set(recipients)],
    titleAr: fill(texts[template].titleAr, params?.ar),
    titleEn: fill(texts[template].titleEn, params?.en),
    bodyAr: fill(texts[template].bodyAr, params?.ar),
    bodyEn: fill(texts[template].bodyEn, params?.en),
  }))
  return sql`told as materialized (
    select "user", line.* from json_to_recordset(${JSON.stringify(lines)}::json)
      as line (recipients int[], type text, "titleAr" text, "titleEn" text, "bodyAr" text, "bodyEn" text, "relatedType" text, "relatedId" int),
      unnest(recipients) as "user"
  ), living as materialized (
    select id from users where id in (select "user" from told) order by id for key share
  ), written as (
    insert into notifications (user_id, type, title_ar, title_en, body_ar, body_en, related_type, related_id)
    select id, type, "titleAr", "titleEn", "bodyAr", "bodyEn", "relatedType", "relatedId" from told join living on id = "user"
    returning *
  ), pushed as (
    insert into pushes (notification_id, subscription_id)
    select written.id, push_subscriptions.id from written join push_subscriptions using (user_id))`
}

const noticeEvents = sql`
  select 0 as part, id::bigint as place, 'notification_created' as event, json_build_object('notification', json_build_object(
    'id', id, 'userId', user_id, 'type', type, 'titleAr', title_ar, 'titleEn', title_en, 'bodyAr', body_ar, 'bodyEn', body_en,
    'relatedType', related_type, 'relatedId', related_id, 'isRead', is_read,
    'createdAt', to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) as data,
    array[user_id] as recipients, null::int[] as sessions
  from written`

function ownEvents(events: Event[]) {
  const lines = events.map(({ to, ...event }) => ({ ...event, recipients: to === 'everyone' ? null : [...new Set(to)] }))
  return sql`
    select 1 as part, place, event, data, recipients, sessions
    from rows from (json_to_recordset(${JSON.stringify(lines)}::json) as (event text, data json, recipients int[], sessions int[]))
      with ordinality as line (event, data, recipients, sessions, place)`
}

/**
 * Events stand in the order of commits: by their transaction, but after all that had ended when they are written. A transaction
 * has its number from its first lock; what it waited for since, and builds on, is told of before it.
 */
const insertEvents = (told: RawBuilder<unknown>) => sql`events_told as (
  insert into events (tx, event, data, recipients, sessions)
  select greatest(pg_current_xact_id(), (pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)::text::xid8),
    event, data, recipients, sessions
  from (${told}) as told order by part, place)`
