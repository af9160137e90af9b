/** Writes new orders, in batches. */
import { sql } from 'kysely'
import type { Tx } from '../../platform/database/db.ts'
import { NAMES, type OrderView, VIEW } from './queries.ts'
import { TIMING } from './times.ts'

export interface Placing {
  userId: number
  /** The beneficiary, if that is not the requester. */
  forUserId?: number | null
  serviceId: number
  notes?: string | null | undefined
  /** The version of the form by which the answers of the order were judged; null if the service must have no form. */
  version?: number | null
  /** The service’s steps of approval that the order was judged by, as they are stored. */
  steps?: readonly unknown[]
  /** Whether the order waits for an approval. */
  isHeld?: boolean
}

/** The `version` of an order whose answers have not been judged. No form has this version, so such an order is not placed. */
export const UNJUDGED = 0

/** The most waiting orders of one person; a trigger enforces it under concurrency. */
export const MOST_PENDING = 100

interface Pause {
  noticeAr: string | null
  noticeEn: string | null
  until: string | null
}
export interface Placed {
  isAvailable: boolean
  /** The notice of the service while it is paused; null otherwise. */
  pause: Pause | null
  /** The number of the person’s waiting orders before this one. */
  pending: number
  /**
   * Null if the order was not placed: the service is unavailable or paused, its form or steps are not those by which the order was judged,
   * the beneficiary cannot get the order, or the person has too many waiting orders.
   */
  order: OrderView | null
}

/** SQL: whether a person is in the audience of the service "serviceId". */
const isInAudience = (person: 'userId' | 'forUserId') => sql`not exists (
  select from service_handlings where service_id = "serviceId" and audience = 'groups' and not exists (
    select from group_users where user_id = ${sql.raw(`"${person}"`)} and group_id = any(audience_group_ids)))`
const PAUSE = sql`select json_build_object('noticeAr', notice_ar, 'noticeEn', notice_en, 'until', until) from service_notices`
const isPausing = sql`paused and (until is null or until > clock_timestamp())`

/** SQL: the version of the form of the service "serviceId"; null without one. */
const FORM = sql`(select max(service_forms.version) from service_forms where service_id = "serviceId")`

/** SQL: the steps of approval of the service "serviceId". */
const STEPS = sql`coalesce((select service_handlings.steps from service_handlings where service_id = "serviceId"), '[]')`

/**
 * Places orders and locks their services. Give it at most one order per person: it counts the waiting orders of a person before it places
 * any.
 */
export async function placeOrders(tx: Tx, placings: Placing[]): Promise<Placed[]> {
  const lines = placings.map(
    ({ notes = null, version = null, steps = [], isHeld = false, forUserId = null, userId, serviceId }, place) => ({
      ...{ place, userId, serviceId, notes, version },
      ...(steps.length && { steps }),
      ...(isHeld && { isHeld }),
      ...(forUserId !== null && { forUserId }),
    }),
  )
  const { rows } = await sql<OrderView & { isAvailable: boolean; pause: Pause | null; pending: number }>`
    with line as materialized (
        select * from json_to_recordset(${JSON.stringify(lines)}::json)
          as line (place int, "userId" int, "forUserId" int, "serviceId" int, notes text, version int, steps jsonb, "isHeld" boolean)),
      available as materialized (
        select id from services where id = any(array(select "serviceId" from line)) and is_available order by id for key share),
      known as materialized (
        select line.*, pending_orders_of("userId")::int as pending,
          available.id is not null and ("forUserId" is not null or ${isInAudience('userId')}) as is_available,
          (${PAUSE} where service_id = "serviceId" and ${isPausing}) as pause
        from line left join available on available.id = "serviceId"),
      chosen as materialized (
        select nextval('orders_id_seq')::int as id, place, "serviceId", "userId", notes, case when "isHeld" then 'waiting' end as hold
        from (select * from known where is_available and pause is null and pending < ${sql.lit(MOST_PENDING)} and version is not distinct from ${FORM}
          and coalesce(steps, '[]') = ${STEPS}
          and ("forUserId" is null or ${isInAudience('forUserId')} and exists (select from users where id = "forUserId" and is_active))
          order by place) as known),
      written as (
        insert into orders (id, service_id, user_id, notes, hold) overriding system value
        select id, "serviceId", "userId", notes, hold from chosen order by place returning *),
      timed as (${TIMING})
    select is_available, pause, pending, seen.*
    from known left join (select chosen.place, ${VIEW} from written as o join chosen using (id) ${NAMES}) as seen using (place)
    order by known.place`.execute(tx)
  return rows.map(({ isAvailable, pause, pending, ...order }) => ({ isAvailable, pause, pending, order: order.id ? order : null }))
}
