/** The approvals of an order, as all readers of the order see them. */
import { sql } from 'kysely'
import type { Reads } from '../../platform/database/db.ts'
import { jsonMoment, keptPerson, type Person, personJson } from '../../platform/database/json.ts'
import type { approvalStates, lapseReasons } from './approval-shapes.ts'
import { WAITS } from './deciders.ts'

/** An approval. It comes from JSON, so `at` is in fact a text. */
interface Given {
  by: Person
  asAdmin: boolean
  note: string | null
  at: Date
}
export interface Approval {
  state: (typeof approvalStates)[number]
  lapseReason: (typeof lapseReasons)[number] | null
  /** The key of the step that is open. */
  step: string | null
  steps: { key: string; nameAr: string; nameEn: string; needed: number; approvals: Given[]; doneAt: Date | null }[]
  waitsFor: Person[]
  lapsesAt: Date | null
}
/** `denial` is the note of a denial, which is shown as the reason of the cancellation. */
type Row = Approval & { orderId: number; denial: string | null }

const MOST_NAMED = 20

const GIVEN = sql.raw(`(
  select coalesce(json_agg(json_build_object(
    'by', ${keptPerson('approver_id', 'approver_username')}, 'asAdmin', as_admin, 'note', note, 'at', ${jsonMoment('at')}) order by at, approver_id), '[]')
  from order_approvals as given where (given.order_id, given.place) = (step.order_id, step.place) and not is_denial)`)
const STEPS = sql`(
  select json_agg(json_build_object('key', key, 'nameAr', name_ar, 'nameEn', name_en,
    'needed', case when done_at is null
      then greatest(1, least(needed, (select count(*) from step_approvers(step.order_id, step.place)))) else needed end,
    'approvals', ${GIVEN}, 'doneAt', ${sql.raw(jsonMoment('done_at'))}) order by step.place)
  from order_steps as step where step.order_id = o.id)`

/** SQL: the people for whom the step `waiting` waits. */
const WAITS_FOR = sql`(
  select coalesce(json_agg(${sql.raw(personJson('u'))} order by one.place, u.id), '[]') from (
    select * from step_waits_for(waiting.order_id, waiting.place) order by place, id limit ${sql.lit(MOST_NAMED)}) as one
    join users as u on u.id = one.id)`

/** The approvals of orders, by the ids of the orders; orders that need none are missing. */
export async function readApprovals(db: Reads, orderIds: readonly number[]) {
  if (orderIds.length === 0) return new Map<number, Row>()
  const { rows } = await sql<Row>`
    select o.id as order_id, waiting.key as step, ${STEPS} as steps, waiting.opened_at + ${WAITS} as lapses_at,
      case when waiting.key is null then '[]'::json else ${WAITS_FOR} end as waits_for,
      case when o.hold is null then 'approved' when o.hold = 'waiting' and not isOver then 'waiting'
        when lapse_reason is null and not isOver then 'denied' else 'lapsed' end as state,
      case when isOver is not true then lapse_reason
        when exists (select from users where id = coalesce(details.beneficiary_id, o.user_id) and is_active) then 'undecided' else 'requester_gone'
        end as lapse_reason,
      (select note from order_approvals where order_id = o.id and is_denial) as denial
    from orders as o join order_details as details on details.order_id = o.id
      left join order_steps as waiting
        on waiting.order_id = o.id and waiting.opened_at is not null and waiting.done_at is null and is_open(waiting)
      cross join lateral (select o.hold = 'waiting' and o.status = 'pending' and waiting.key is null as isOver) as ended
    where o.id = any(${orderIds}::int[]) and needs_approval`.execute(db)
  return new Map(rows.map((row) => [row.orderId, row]))
}
