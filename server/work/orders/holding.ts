/** The terms of an order besides its form: its beneficiary, and the approvals that it waits for. */
import { sql } from 'kysely'
import type { Actor } from '../../platform/auth/actor.ts'
import { administrators } from '../../platform/auth/held.ts'
import type { Tx } from '../../platform/database/db.ts'
import { Refusal, refuse, refuseField } from '../../platform/errors/refusal.ts'
import { judged } from '../../platform/http/verdicts.ts'
import { type Answers, fulfils } from '../service-forms/rules.ts'
import { type ApprovalStep, findOrdering, isBeneficiary } from '../service-handlings/queries.ts'

/** An order for somebody; `forUserId` is null if it is for the caller. */
export interface ForSomebody {
  actor: Actor
  serviceId: number
  forUserId: number | null
}
export interface Terms {
  forUserId: number | null
  /** The steps of the service as they are stored. */
  steps: ApprovalStep[]
  /** The steps that apply to the order. They may name deleted people and groups, because a group may be restored. */
  applying: ApprovalStep[]
}

/** Judges whether the caller may order for somebody else: `service_unavailable` if they cannot see the service, else `forbidden`. */
export const judgeOrdering = (tx: Tx, { actor, serviceId }: ForSomebody): Promise<true | Refusal> =>
  judged(async () => {
    const { isKnown, mayOrderForOthers } = await findOrdering(tx, serviceId, actor)
    if (!isKnown) refuse('service_unavailable')
    return mayOrderForOthers || refuse('forbidden')
  })

/** The steps of approval of services, as they are stored; most have none. */
export async function readSteps(tx: Tx, serviceIds: readonly number[]) {
  const { rows } = await sql<{ serviceId: number; steps: ApprovalStep[] }>`
    select service_id, steps from service_handlings where service_id = any(${serviceIds}::int[]) and steps <> '[]'`.execute(tx)
  return new Map(rows.map(({ serviceId, steps }) => [serviceId, steps]))
}

/** An order whose terms are to be judged, with its answers and the steps of its service. */
interface OrderToJudge extends ForSomebody {
  answers: Answers
  steps: ApprovalStep[]
}

/**
 * Judges the beneficiary of each order and the steps that apply to its answers. Refuses the field `forUserId` if that person cannot get the
 * order, and with `no_approver` if nobody at all could decide a step. An order that is refused already stays so.
 */
export async function judgeTerms(tx: Tx, orders: (OrderToJudge | Refusal)[]): Promise<(Terms | Refusal)[]> {
  const verdicts: (Terms | Refusal)[] = []
  for (const order of orders) verdicts.push(order instanceof Refusal ? order : await judged(() => termsOf(tx, order)))
  const undecidable = await findUndecidable(
    tx,
    verdicts.flatMap((terms, n) => {
      if (terms instanceof Refusal) return []
      const { actor, forUserId } = orders[n] as OrderToJudge
      return terms.applying.map((step) => ({ ...step, n, requester: actor.id, beneficiary: forUserId ?? actor.id }))
    }),
  )
  return verdicts.map((terms, n) => (undecidable.has(n) ? new Refusal('no_approver') : terms))
}

/** A step that only the beneficiary’s manager approves does not apply if the manager places the order. */
async function termsOf(tx: Tx, { actor, serviceId, forUserId, answers, steps }: OrderToJudge): Promise<Terms> {
  if (forUserId !== null && !(await isBeneficiary(tx, serviceId, forUserId))) refuseField('forUserId', 'beneficiary')
  const asked = steps.filter(({ when }) => fulfils(answers, when))
  const isManager = forUserId !== null && asked.some(({ manager }) => manager) && (await isManagerOf(tx, actor.id, forUserId))
  return { forUserId, steps, applying: isManager ? asked.filter((step) => !isOfManagerAlone(step)) : asked }
}

const isOfManagerAlone = ({ manager, userIds, groupIds }: ApprovalStep) => manager && userIds.length === 0 && groupIds.length === 0

async function isManagerOf(tx: Tx, managerId: number, userId: number) {
  const { rows } = await sql`select from managers where user_id = ${userId} and manager_id = ${managerId}`.execute(tx)
  return rows.length > 0
}

/** The orders with a step that nobody could decide: neither an approver, nor an administrator who is not a party. */
async function findUndecidable(tx: Tx, steps: (ApprovalStep & { n: number; requester: number; beneficiary: number })[]) {
  if (steps.length === 0) return new Set<number>()
  const { rows } = await sql<{ n: number }>`
    select n from json_to_recordset(${JSON.stringify(steps)}::json)
      as step (n int, manager boolean, "userIds" jsonb, "groupIds" jsonb, requester int, beneficiary int)
    where not exists (select from approvers_among(manager, ${ids('userIds')}, ${ids('groupIds')}, requester, beneficiary))
      and not exists (select from unnest(${administrators}) as id where id not in (requester, beneficiary))`.execute(tx)
  return new Set(rows.map(({ n }) => n))
}

// Kysely would rename an identifier to snake case.
const ids = (column: 'userIds' | 'groupIds') => sql`array(select jsonb_array_elements_text(${sql.raw(`"${column}"`)})::int)`

/** Stores the terms of placed orders, and opens their first steps. */
export async function keepTerms(tx: Tx, placed: (Terms & { orderId: number })[]) {
  const some = placed.filter(({ forUserId, applying }) => forUserId !== null || applying.length)
  if (some.length === 0) return
  const orders = some.map(({ orderId, forUserId, applying }) => ({ orderId, forUserId, isHeld: applying.length > 0 }))
  await sql`
    insert into order_details (order_id, beneficiary_id, beneficiary_username, needs_approval)
    select "orderId", users.id, users.username, "isHeld"
    from json_to_recordset(${JSON.stringify(orders)}::json) as line ("orderId" int, "forUserId" int, "isHeld" boolean)
      left join lateral (select id, username from users where id = "forUserId" offset 0) as users on true
    on conflict (order_id) do update set beneficiary_id = excluded.beneficiary_id, beneficiary_username = excluded.beneficiary_username,
      needs_approval = excluded.needs_approval`.execute(tx)
  const steps = some.flatMap(({ orderId, applying }) => applying.map((step, place) => ({ ...step, orderId, place })))
  if (steps.length === 0) return
  await sql`
    insert into order_steps (order_id, place, key, name_ar, name_en, manager, user_ids, group_ids, needed, opened_at)
    select "orderId", place, key, "nameAr", "nameEn", manager, ${ids('userIds')}, ${ids('groupIds')}, needed, case when place = 0 then clock_timestamp() end
    from json_to_recordset(${JSON.stringify(steps)}::json) as line ("orderId" int, place int, key text, "nameAr" text, "nameEn" text,
      manager boolean, "userIds" jsonb, "groupIds" jsonb, needed int)`.execute(tx)
}
