/** Ends as lapsed the waiting orders that nobody decided on in time, or whose beneficiary is deleted or inactive. */
import { type RawBuilder, sql } from 'kysely'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Tx } from '../../platform/database/db.ts'
import { refuseHeld } from './approving.ts'
import { WAITS } from './deciders.ts'
import { asRequested } from './queries.ts'
import { paramsFor } from './rules.ts'

const isHeld = sql`o.hold = 'waiting' and o.status = 'pending'`
const isOverdue = sql`exists (
  select from order_steps where order_id = o.id and done_at is null and opened_at <= statement_timestamp() - ${WAITS})`
/** SQL: the person who is to get the order `o`: its beneficiary or, without one, its requester. */
const PERSON = sql`coalesce((select beneficiary_id from order_details where order_id = o.id), o.user_id)`
/** SQL: whether the person who is to get the order `o` is deleted or inactive. */
const isGone = sql`not exists (select from users where id = ${PERSON} and is_active offset 0)`

type Reason = 'undecided' | 'requester_gone'

/** Ends as lapsed those of the locked orders that still wait for approvals and meet `which`. Returns the change of each. */
async function lapse(tx: Tx, ids: number[], which: RawBuilder<unknown>, reason: Reason): Promise<Change[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    select o.id from orders as o where o.id = any(${ids}::int[]) and ${isHeld} and ${which}`.execute(tx)
  if (rows.length === 0) return []
  const lapsed = await refuseHeld(
    tx,
    rows.map(({ id }) => id),
    reason,
  )
  return lapsed.map((written) => {
    const { id, serviceId, userId, beneficiaryId, service, requester } = written.order
    const facts = { serviceId, beneficiaryId: beneficiaryId ?? userId, reason, params: paramsFor(service, requester) }
    return { kind: 'order.lapsed', targetId: id, facts, payload: asRequested(written) }
  })
}

const lock = async (tx: Tx, which: RawBuilder<unknown>, most?: RawBuilder<unknown>) =>
  (
    await sql<{ id: number }>`
      select o.id from orders as o where ${isHeld} and ${which} order by o.id ${most ?? sql``} for update of o ${most ? sql`skip locked` : sql``}`.execute(
      tx,
    )
  ).rows.map(({ id }) => id)

/**
 * Ends at most `most` orders as lapsed for each of the reasons `requester_gone` and `undecided`. Checks each order again after locking it,
 * because somebody may just have decided on it.
 */
export async function noteLapses(tx: Tx, most: number) {
  const limit = sql`limit ${most}`
  const gone = await lapse(tx, await lock(tx, isGone, limit), isGone, 'requester_gone')
  return [...gone, ...(await lapse(tx, await lock(tx, isOverdue, limit), isOverdue, 'undecided'))]
}

/** The ids of deleted or inactive beneficiaries whose orders still wait for approvals. */
export async function findGone(tx: Tx) {
  const { rows } = await sql<{ id: number }>`
    select distinct ${PERSON} as id from orders as o where ${isHeld} and ${isGone} order by 1`.execute(tx)
  return rows.map(({ id }) => id)
}

const isFor = (people: readonly number[]) => sql`${PERSON} = any(${people}::int[])`

/** Ends as lapsed the waiting orders whose beneficiary is among `people` and is deleted or inactive. */
export async function lapseOfGone(tx: Tx, people: readonly number[]) {
  const which = sql`${isFor(people)} and ${isGone}`
  return lapse(tx, await lock(tx, which), which, 'requester_gone')
}

/** Ends as lapsed the waiting orders that somebody else placed for a person who is about to be deleted. */
export async function lapseFor(tx: Tx, personId: number) {
  const which = sql`${isFor([personId])} and o.user_id <> ${personId}`
  return lapse(tx, await lock(tx, which), which, 'requester_gone')
}
