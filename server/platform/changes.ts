/** record(): everything that follows from a change, in the caller's transaction. */
import { sql } from 'kysely'
import type { Static } from 'typebox'
import { changeKinds } from '../changes.ts'
import { notices as texts } from '../notices.ts'
import type { Change as AnyChange, Author, ChangeKind, Event, History, Notice } from './change-kind.ts'
import type { Tx } from './db.ts'

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
    const by = { actorId: author?.id ?? null, actorUsername: author?.username ?? null }
    const audits: { action: string | null; metadata?: unknown }[] = kind.audits === 'nothing' ? [] : [kind.audits(change)].flat()
    for (const { action, metadata = change.facts } of audits.length ? audits : [{ action: null }])
      lines.push({ kind: change.kind, about: kind.about, subject: change.subject, ...by, action, facts: metadata })
    if (kind.histories !== 'nothing') for (const history of kind.histories(change)) histories.push({ ...history, ...by })
    if (kind.tells !== 'nobody') for (const notice of await kind.tells(tx, change)) notices.push(notice)
    if (kind.emits !== 'nothing') for (const event of await kind.emits(tx, change)) events.push(event)
  }
  await writeLines(tx, lines)
  await writeHistories(tx, histories)
  await writeNotices(tx, notices)
  await writeEvents(tx, events)
}

interface By {
  actorId: number | null
  actorUsername: string | null
}
interface Line extends By {
  kind: string
  about: string
  subject: number
  action: string | null
  facts: unknown
}

/** One statement however many there are: a statement takes 65,535 values, and a category may hold ten thousand services. */
async function writeLines(tx: Tx, lines: Line[]) {
  if (lines.length === 0) return
  await sql`
    insert into changes (kind, about, subject, actor_id, actor_username, action, facts)
    select kind, about, subject, "actorId", "actorUsername", action, facts
    from jsonb_to_recordset(${JSON.stringify(lines)}::jsonb)
      as line (kind text, about text, subject int, "actorId" int, "actorUsername" text, action text, facts jsonb)`.execute(tx)
}

/** One statement however many sets are touched: a group of everyone has tens of thousands of members. */
async function writeHistories(tx: Tx, histories: (History & By)[]) {
  if (histories.length === 0) return
  await sql`
    insert into permission_history (kind, target_id, added, removed, actor_id, actor_username)
    select kind, target, added, removed, "actorId", "actorUsername"
    from jsonb_to_recordset(${JSON.stringify(histories)}::jsonb)
      as history (kind text, target int, added int[], removed int[], "actorId" int, "actorUsername" text)`.execute(tx)
}

/**
 * Where events stand in the order of commits: by their transaction, but after all that had ended when they are written. A transaction
 * has its number from its first lock; what it waited for since, and builds on, is told of before it.
 */
const PLACE = sql.raw('greatest(pg_current_xact_id(), (pg_snapshot_xmax(pg_current_snapshot())::text::bigint - 1)::text::xid8)')

async function writeEvents(tx: Tx, events: Event[]) {
  const heard = events.filter(({ to }) => to === 'everyone' || to.length > 0)
  if (heard.length === 0) return
  const lines = heard.map(({ event, data, to, sessions }) => ({
    event,
    data,
    recipients: to === 'everyone' ? null : [...new Set(to)],
    sessions,
  }))
  await sql`
    insert into events (tx, event, data, recipients, sessions)
    select ${PLACE}, event, data, recipients, sessions
    from json_to_recordset(${JSON.stringify(lines)}::json) as line (event text, data json, recipients int[], sessions int[])`.execute(tx)
}

const fill = (template: string | null, words: Record<string, string> = {}) =>
  template?.replace(/\{(\w+)\}/g, (_, word: string) => words[word] ?? '') ?? null

/**
 * A notification for each person told, the event that tells them at once, and the pushes to their browsers. Whoever was deleted
 * meanwhile is told nothing.
 */
async function writeNotices(tx: Tx, notices: Notice[]) {
  const lines = notices
    .filter(({ whom }) => whom.length > 0)
    .map(({ whom, says, words, ...rest }) => ({
      ...rest,
      whom: [...new Set(whom)],
      titleAr: fill(texts[says].titleAr, words?.ar),
      titleEn: fill(texts[says].titleEn, words?.en),
      bodyAr: fill(texts[says].bodyAr, words?.ar),
      bodyEn: fill(texts[says].bodyEn, words?.en),
    }))
  if (lines.length === 0) return
  await sql`
    with told as materialized (
      select "user", line.* from json_to_recordset(${JSON.stringify(lines)}::json)
        as line (whom int[], type text, "titleAr" text, "titleEn" text, "bodyAr" text, "bodyEn" text, "relatedType" text, "relatedId" int),
        unnest(whom) as "user"
    ), living as materialized (
      select id from users where id in (select "user" from told) order by id for key share
    ), written as (
      insert into notifications (user_id, type, title_ar, title_en, body_ar, body_en, related_type, related_id)
      select id, type, "titleAr", "titleEn", "bodyAr", "bodyEn", "relatedType", "relatedId" from told join living on id = "user"
      returning *
    ), pushed as (
      insert into pushes (notification_id, subscription_id)
      select written.id, push_subscriptions.id from written join push_subscriptions using (user_id)
    )
    insert into events (tx, event, data, recipients)
    select ${PLACE}, 'notification_created', json_build_object('notification', json_build_object(
      'id', id, 'userId', user_id, 'type', type, 'titleAr', title_ar, 'titleEn', title_en, 'bodyAr', body_ar, 'bodyEn', body_en,
      'relatedType', related_type, 'relatedId', related_id, 'isRead', is_read,
      'createdAt', to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))), array[user_id]
    from written order by id`.execute(tx)
}
