/** Messages about orders, and internal notes, which beneficiaries never see. */
import { sql } from 'kysely'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { type Person, personJson } from '../../platform/database/json.ts'
import { quotaExceeded, refuse, refuseField } from '../../platform/errors/refusal.ts'
import { isVisible } from '../../platform/text.ts'
import { lockNamed, type OrderFile, useFiles } from './files.ts'
import type { OrderView } from './queries.ts'
import { IS_IN_TIME } from './reopening.ts'
import { MOST_ASKED, paramsFor, partiesOf } from './rules.ts'
import { MOST_TEXTS, type Progress, WRITABLE_DAYS } from './standing.ts'

/** The two places for texts about an order, messages and notes to the team. A text never moves from one to the other. */
const places = {
  message: { table: 'orderMessages', template: 'order_message', kind: 'order.messaged', readers: sql.raw('order_message_readers') },
  note: { table: 'orderInternalNotes', template: 'order_note', kind: 'order.noted', readers: sql.raw('order_note_readers') },
} as const
export type Place = keyof typeof places

interface Message {
  id: number
  at: Date
  by: Person
  text: string
  files: OrderFile[]
}

/** SQL: the columns of `Progress`, for a row `o` of `orders` and its row `details` of `order_details`. */
export const PROGRESS = sql`
  o.status in ('completed', 'cancelled') and o.updated_at + make_interval(days => ${sql.lit(WRITABLE_DAYS)}) <= statement_timestamp() as is_closed,
  coalesce(is_waiting(details), false) as is_waiting, coalesce(transfer_count, 0) as transfer_count,
  coalesce(details.reopen_count, 0) as reopen_count, ${IS_IN_TIME} as is_in_time,
  (select count(*) from order_messages where order_id = o.id and is_counted) as message_count,
  (select count(*) from order_internal_notes where order_id = o.id and is_counted) as note_count`

export async function readProgress(db: Reads, orderId: number) {
  const { rows } = await sql<Progress & { waitsForRequester: boolean }>`
    select ${PROGRESS}, coalesce(waiting_for = 'requester', false) as waits_for_requester
    from orders as o left join order_details as details on order_id = o.id where o.id = ${orderId}`.execute(db)
  return rows[0]!
}

/** Reads a person, who must exist. */
export const readPerson = async (db: Reads, id: number) =>
  (await sql<{ person: Person }>`select ${sql.raw(personJson('users'))} as person from users where id = ${id}`.execute(db)).rows[0]!.person

/**
 * The people among `people` who are notified of a text: those who may read texts in its place and have no unread notification of an earlier
 * one.
 */
async function findTold(db: Reads, orderId: number, place: Place, people: number[]) {
  const { rows } = await sql<{ id: number }>`
    select person as id from unnest(${people}::int[]) as person where not exists (
      select from notifications
      where user_id = person and related_type = 'order' and related_id = ${orderId} and template = ${places[place].template} and read_at is null)
      and person = any((select ${places[place].readers}(${orderId}))::int[])
    order by person`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * The people to whom a text may matter, except its author. Some may not read it, such as an assignee who has left the team since the order
 * ended; `findTold` leaves them out.
 */
async function concernedBy(tx: Tx, place: Place, order: OrderView, authorId: number) {
  const parties = partiesOf(order)
  const assignee = order.assignedTo === null ? [] : [order.assignedTo]
  const all = place === 'note' ? assignee : [...parties, ...assignee]
  const asking = place === 'message' && order.needsApproval && parties.includes(authorId) ? await findAsking(tx, order.id) : []
  return [...new Set([...all, ...asking])].filter((id) => id !== authorId)
}

/**
 * The approvers of the open step of an order, at most `MOST_ASKED`, if any approver of the step has written a message about the order;
 * otherwise none. A party’s answer then goes to all of them.
 */
async function findAsking(tx: Tx, orderId: number) {
  const { rows } = await sql<{ ids: number[] }>`
    with approving as materialized (
      select approver.id, approver.place from order_steps as step cross join lateral step_approvers(step.order_id, step.place) as approver
      where step.order_id = ${orderId} and is_open(step))
    select array(select id from approving order by place, id limit ${MOST_ASKED}) as ids
    where exists (
      select from ledger where target_type = 'order' and target_id = ${orderId} and kind = 'order.messaged'
        and actor_id in (select id from approving))`.execute(tx)
  return rows[0]?.ids ?? []
}

interface Text {
  place: Place
  order: OrderView
  authorId: number
  text: string
  fileIds?: string[]
  /** The text is part of another command, so it does not count towards the limit. */
  isUncounted?: true
}
/**
 * Adds a text about a locked order. Returns it as `message`, with the change to record. Refuses `unknown_ids` if its author cannot use a
 * file, `too_many_items` beyond 40 files of the order, and `quota_exceeded` when its author has notified too many people.
 */
export async function addText(tx: Tx, { place, order, authorId, text, fileIds = [], isUncounted }: Text) {
  const { table, kind } = places[place]
  const files = await lockNamed(tx, authorId, [...new Set(fileIds)])
  const { id, createdAt: at } = await tx
    .insertInto(table)
    .values({ orderId: order.id, text, isCounted: !isUncounted })
    .returning(['id', 'createdAt'])
    .executeTakeFirstOrThrow()
  const objectIds = files.map(({ objectId }) => objectId)
  await useFiles(tx, { orderId: order.id, objectIds, ...(place === 'message' ? { messageId: id } : { noteId: id }) })
  const recipients = await findTold(tx, order.id, place, await concernedBy(tx, place, order, authorId))
  if (recipients.length) await sql`select count_notices(${authorId}, ${recipients.length})`.execute(tx)
  const by = await readPerson(tx, authorId)
  const message: Message = { id, at, by, text, files: files.map(({ objectId: _, ownerId: __, ...file }) => file) }
  const payload = { params: paramsFor(order.service, by) }
  const told = { targetId: order.id, recipients, payload }
  const change: Change = kind === 'order.messaged' ? { kind, facts: { messageId: id }, ...told } : { kind, facts: { noteId: id }, ...told }
  return { message, change }
}

/**
 * Refuses a further text: `too_late` from 14 days after the order has ended, `quota_exceeded` beyond 200 counted texts in the same place.
 */
export function checkWritable(place: Place, { isClosed, messageCount, noteCount }: Progress) {
  if (isClosed) refuse('too_late')
  const used = place === 'message' ? messageCount : noteCount
  if (used >= MOST_TEXTS) throw quotaExceeded({ quota: 'order_messages', used, allowed: MOST_TEXTS })
}

/** Refuses a message that has neither a text nor a file. */
export function checkContent(text: string, fileIds: string[]) {
  if (fileIds.length || isVisible(text)) return
  if (text) refuseField('text', 'visible')
  refuseField('text', 'minLength', { limit: 1 })
}
