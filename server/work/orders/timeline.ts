/** The history of an order, newest first. It comes from the ledger, except for the texts, which are deleted with the order. */
import { type RawBuilder, sql } from 'kysely'
import type { Reads } from '../../platform/database/db.ts'
import { type Person, personJson } from '../../platform/database/json.ts'
import { refuseField } from '../../platform/errors/refusal.ts'
import { pageOf } from '../../platform/http/page.ts'
import type { OrderStatus } from '../../platform/tables.ts'
import type { OrderFile } from './files.ts'
import type { Standing } from './standing.ts'

export const entryKinds = [
  ...([
    'placed',
    'approval',
    'denial',
    'lapse',
    'released',
    'claimed',
    'assigned',
    'given_back',
    'transferred',
    'moved',
    'waiting',
    'resumed',
    'cancelled',
    'restored',
    'reopened',
  ] as const),
  ...(['message', 'internal_note'] as const),
]
type EntryKind = (typeof entryKinds)[number]

interface Entry {
  id: number
  at: Date
  kind: EntryKind
  /** Null if the portal itself did it. */
  by: Person | null
  text: string | null
  files: OrderFile[]
  from: OrderStatus | null
  to: OrderStatus | null
  reason: string | null
  assignee: Person | null
  /** The team to which the order was handed over. */
  team: { id: number; nameAr: string; nameEn: string } | null
  for: 'requester' | 'third_party' | null
  until: Date | null
}

/** SQL: the kind of a ledger row in the timeline; null for rows that the timeline does not show. */
const KIND = sql`case ledger.kind
  when 'order.placed' then 'placed'
  when 'order.approved' then 'approval'
  when 'order.denied' then 'denial'
  when 'order.lapsed' then 'lapse'
  when 'order.released' then 'released'
  when 'order.transferred' then 'transferred'
  when 'order.messaged' then 'message'
  when 'order.noted' then 'internal_note'
  when 'order.waited' then 'waiting'
  when 'order.resumed' then 'resumed'
  when 'order.reopened' then 'reopened'
  when 'order.moved' then case
    when facts ->> 'from' = 'cancelled' then 'restored'
    when facts ->> 'to' = 'cancelled' then 'cancelled'
    when facts ->> 'to' = 'pending' then 'given_back'
    when facts ->> 'from' = 'pending' and (facts ->> 'assignedTo')::int = actor_id then 'claimed'
    when facts ->> 'assignedTo' is distinct from facts ->> 'wasAssignedTo' then 'assigned'
    else 'moved' end end`

/** SQL: a person by id, with their current names, or their last known names if they were deleted. */
const personOf = (id: string, username: string) =>
  sql.raw(`(
    select ${personJson('one', {
      id,
      username: `coalesce(one.username, gone.facts ->> 'username', ${username}, '')`,
      displayNameAr: `coalesce(one.display_name_ar, gone.facts ->> 'displayNameAr')`,
      displayNameEn: `coalesce(one.display_name_en, gone.facts ->> 'displayNameEn')`,
    })}
    from (select) as asked left join users as one on one.id = ${id}
      left join lateral (
        select facts from ledger as last
        where one.id is null and last.target_type = 'user' and last.target_id = ${id} and last.action is not null
          and last.kind in ('user.deleted', 'service_account.deleted')
        order by last.at desc, last.id desc limit 1) as gone on true
    where ${id} is not null)`)

/** SQL: the status of the order before the entry `shown`. The log has no statuses of hand-overs. */
const FORMER = sql`coalesce((
  select coalesce(former.facts ->> 'to', 'pending') from entry as former
  where former.place < shown.place and (former.kind = 'transferred' or former.facts ? 'to') order by former.place desc limit 1), 'pending')`

interface Part {
  limit?: number
  offset?: number
  before?: number | undefined
}
/** A page of the entries that a reader may see. With `before`, the id of an entry, it begins after that entry; an unknown id is refused. */
export async function pageTimeline(db: Reads, orderId: number, { readsMessages, readsNotes }: Standing, part: Part) {
  const { limit = 50, offset = 0, before } = part
  const hidden: RawBuilder<unknown>[] = [
    ...(readsMessages ? [] : [sql`kind <> 'message'`]),
    ...(readsNotes ? [] : [sql`kind <> 'internal_note'`]),
  ]
  const entry = sql`entry as materialized (
    select coalesce(message.id, note.id, ledger.id) as id, ledger.id as place, coalesce(message.created_at, note.created_at, ledger.at) as at,
      ${KIND} as kind, actor_id, actor_username, facts, coalesce(message.text, note.text, decision.note) as text, message.id as message_id, note.id as note_id
    from ledger left join order_messages as message on ledger.kind = 'order.messaged' and message.id = (facts ->> 'messageId')::bigint
      left join order_internal_notes as note on ledger.kind = 'order.noted' and note.id = (facts ->> 'noteId')::bigint
      left join order_approvals as decision on ledger.kind in ('order.approved', 'order.denied') and decision.order_id = ${orderId}
        and decision.approver_id = actor_id and decision.at = (facts ->> 'at')::timestamptz
    where target_type = 'order' and target_id = ${orderId})`
  const seen = sql`seen as (select * from entry where ${sql.join([sql`kind is not null`, ...hidden], sql` and `)})`
  const counted = await sql<{ total: number; newer: number; isThere: boolean }>`
    with ${entry}, ${seen}
    select count(*) as total, coalesce(bool_or(id = ${before ?? 0}), false) as is_there,
      count(*) filter (where place >= (select place from seen where id = ${before ?? 0})) as newer
    from seen`.execute(db)
  const { total, newer, isThere } = counted.rows[0]!
  if (before !== undefined && !isThere) refuseField('before', 'exists')
  const { rows } = await sql<Entry>`
    with ${entry}, ${seen},
      shown as (select * from seen order by place desc limit ${limit} offset ${newer + offset})
    select id, at, kind, ${personOf('actor_id', 'actor_username')} as by, text,
      coalesce((
        select json_agg(json_build_object('id', uuid, 'name', name, 'size', size, 'contentType', content_type) order by object_id)
        from order_files join objects on objects.id = object_id
        where order_files.message_id = shown.message_id or order_files.note_id = shown.note_id), '[]') as files,
      case kind when 'transferred' then ${FORMER} else facts ->> 'from' end as from,
      case kind when 'transferred' then 'pending' else facts ->> 'to' end as to,
      case when kind = 'lapse' then facts ->> 'reason' when kind = 'denial' then text
        when kind = 'cancelled' and place = (select max(place) from entry where kind = 'cancelled')
        then (select cancel_reason from order_details where order_id = ${orderId}) end as reason,
      case when kind in ('claimed', 'assigned') then ${personOf(`(facts ->> 'assignedTo')::int`, 'null')} end as assignee,
      case when kind = 'transferred' then (
        select json_build_object('id', id, 'nameAr', name_ar, 'nameEn', name_en) from named_team((facts ->> 'toTeamId')::int)) end as team,
      facts ->> 'for' as for, (facts ->> 'until')::timestamptz as until
    from shown order by place desc`.execute(db)
  return pageOf('entries', rows, total - newer, { limit, offset })
}
