/** The details of an order: its form and answers, times, wait, approvals and the acts that its reader may do. */
import { sql } from 'kysely'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { keptPerson, type Person } from '../../platform/database/json.ts'
import { calendarOf } from '../calendars/queries.ts'
import type { FormField } from '../service-forms/rules.ts'
import type { Judged } from './answering.ts'
import { type Approval, readApprovals } from './approval.ts'
import { PROGRESS } from './conversation.ts'
import { type Deciding, decidesNothing, findDeciding } from './deciders.ts'
import type { OrderFile } from './files.ts'
import { type OrderView, readOrder, TEAM_ID } from './queries.ts'
import { askerOf, isHeld } from './rules.ts'
import { type Act, actsOf, type Progress, type progresses, standingOf } from './standing.ts'
import { TIMES, type Times } from './times.ts'
import type { Wait } from './waiting.ts'

interface Kept {
  orderId: number
  teamId: number | null
  teamNameAr: string | null
  teamNameEn: string | null
  /** The version of the form that the order was placed with; null without a form. */
  formVersion: number | null
  fields: FormField[] | null
  answers: Record<string, unknown> | null
  /** The files in the answers. */
  files: OrderFile[]
  wantedAt: Date | null
  waiting: (Omit<Wait, 'text'> & { text: string | null; since: Date }) | null
  cancelReason: string | null
  reopenCount: number
  lastMessageAt: Date | null
  /** Whether the reader has unread notifications of messages; null if they may not read messages. */
  unread: boolean | null
}
interface OrderDetails extends Kept {
  beneficiary: Person | null
  times: Times
  progress: (typeof progresses)[number]
  approval: Approval | null
  may: Act[]
}

type Row = Kept & { beneficiary: Person | null } & Times &
  Progress & { isForLater: boolean; waitingFor: Wait['for']; waitingText: string; waitingSince: Date; waitingUntil: Date }

interface Around {
  approval: (Approval & { denial: string | null }) | undefined
  deciding: Deciding
}
function detailsIn(row: Row, order: OrderView, actor: Actor, { approval, deciding }: Around): OrderDetails {
  const { receiveBy, completeBy, receivedAt, completedAt, receivedInTime, completedInTime, isLate, minutesUsed, ...others } = row
  const { isClosed, isWaiting, messageCount, noteCount, transferCount, isInTime, isForLater, ...named } = others
  const { waitingFor, waitingText, waitingSince, waitingUntil, ...kept } = named
  const { beneficiary: known, ...own } = kept
  const asker = askerOf(actor)
  // The approvers of a step that is done may still read the order, but not its messages.
  const { readsMessages } = standingOf(order, asker, deciding)
  return {
    ...own,
    ...(!readsMessages && { lastMessageAt: null, unread: null }),
    beneficiary: known ?? order.requester,
    approval: approval ?? null,
    times: { receiveBy, completeBy, receivedAt, completedAt, receivedInTime, completedInTime, isLate, minutesUsed },
    waiting: isWaiting ? { for: waitingFor, text: readsMessages ? waitingText : null, since: waitingSince, until: waitingUntil } : null,
    progress: progressOf(order, { isWaiting, isForLater }),
    cancelReason: approval?.denial ?? kept.cancelReason,
    may: actsOf(
      order,
      askerOf(actor.asWriter),
      { isClosed, isWaiting, messageCount, noteCount, transferCount, isInTime, reopenCount: kept.reopenCount },
      deciding,
    ),
  }
}

function progressOf(order: OrderView, { isWaiting, isForLater }: { isWaiting: boolean; isForLater: boolean }) {
  if (isHeld(order)) return 'held'
  return isWaiting ? 'waiting' : isForLater && order.status === 'pending' ? 'later' : order.status
}

/** The details of orders for a reader, by the ids of the orders. */
export async function readDetailsOf(db: Reads, orders: OrderView[], actor: Actor) {
  const { rows } = await sql<Row>`
    select o.id as order_id, team.id as team_id, team.name_ar as team_name_ar, team.name_en as team_name_en,
      case when beneficiary_id is not null then ${sql.raw(keptPerson('beneficiary_id', 'beneficiary_username'))} end as beneficiary,
      form_version, fields, answers, wanted_at, ${TIMES}, ${PROGRESS}, coalesce(is_for_later(details), false) as is_for_later,
      waiting_for, waiting_text, waiting_since, waiting_until, cancel_reason,
      coalesce((
        select json_agg(json_build_object('id', uuid, 'name', name, 'size', size, 'contentType', content_type) order by object_id)
        from order_files as used join objects on objects.id = object_id
        where used.order_id = o.id and message_id is null and note_id is null), '[]') as files,
      (select max(created_at) from order_messages where order_id = o.id) as last_message_at,
      exists (
        select from notifications
        where user_id = ${actor.id} and related_type = 'order' and related_id = o.id and template = 'order_message' and read_at is null) as unread
    from orders as o left join service_handlings as handling using (service_id)
      left join lateral named_team(${sql.raw(TEAM_ID)}) as team on true left join order_details as details on details.order_id = o.id
      left join order_figures as figures on figures.order_id = o.id
      left join service_forms as form on form.service_id = o.service_id and form.version = form_version
    where o.id = any(${orders.map(({ id }) => id)}::int[])`.execute(db)
  const byId = new Map(orders.map((order) => [order.id, order]))
  const approved = orders.flatMap(({ id, needsApproval }) => (needsApproval ? [id] : []))
  const [approvals, deciding] = [await readApprovals(db, approved), await findDeciding(db, approved, actor.id)]
  return new Map(
    rows.map((row) => {
      const around = { approval: approvals.get(row.orderId), deciding: deciding.get(row.orderId) ?? decidesNothing }
      return [row.orderId, detailsIn(row, byId.get(row.orderId)!, actor, around)]
    }),
  )
}

/** The details of an order. Refuses `not_found` to those who may not read it. */
export async function readOneDetails(db: Reads, id: number, actor: Actor) {
  const order = await readOrder(db, id, actor)
  return (await readDetailsOf(db, [order], actor)).get(id)!
}

/** Stores the answers of new orders, if their service has a form. An order that is wanted at a given time also gets its target. */
export async function keepAnswers(tx: Tx, answered: (Judged & { orderId: number })[]) {
  const rows = answered.filter(({ version }) => version > 0)
  if (rows.length === 0) return
  await sql`
    insert into order_details as details (order_id, form_version, answers, said, wanted_at, calendar_id, started, due)
    select "orderId", version, answers, answers_said(answers, (
        select fields from service_forms join orders using (service_id) where orders.id = "orderId" and service_forms.version = line.version)),
      "wantedAt", clock.calendar_id, clock.started, clock.started
    from json_to_recordset(${JSON.stringify(rows)}::json) as line ("orderId" int, version int, answers jsonb, "wantedAt" timestamptz)
      left join lateral (
        select calendar.id as calendar_id, working_time(calendar.id, orders.created_at) as started
        from orders left join service_handlings using (service_id) left join service_teams as team on team.id = service_handlings.team_id
          cross join lateral (select ${calendarOf('team')} as id) as calendar
        where orders.id = "orderId" and "wantedAt" is not null and hold is null offset 0) as clock on true
    on conflict (order_id) do update set form_version = excluded.form_version, answers = excluded.answers, said = excluded.said, wanted_at = excluded.wanted_at,
      due = case when excluded.wanted_at is null then details.due else details.started end`.execute(tx)
}
