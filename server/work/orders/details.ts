/** What an order has beyond the contract. */
import { sql } from 'kysely'
import type { Reads, Tx } from '../../platform/database/db.ts'
import type { FormField } from '../service-forms/rules.ts'
import type { Judged } from './answering.ts'
import { TEAM_ID } from './queries.ts'
import { TIMES, type Times } from './times.ts'

interface OrderDetails {
  orderId: number
  teamId: number | null
  teamNameAr: string | null
  teamNameEn: string | null
  /** The version of the form with which it was placed; null without one. */
  formVersion: number | null
  fields: FormField[] | null
  answers: Record<string, unknown> | null
  wantedAt: Date | null
  times: Times
}

type Row = Omit<OrderDetails, 'times'> & Times
const detailsIn = ({
  receiveBy,
  completeBy,
  receivedAt,
  completedAt,
  receivedInTime,
  completedInTime,
  isLate,
  minutesUsed,
  ...rest
}: Row) => ({
  ...rest,
  times: { receiveBy, completeBy, receivedAt, completedAt, receivedInTime, completedInTime, isLate, minutesUsed },
})

/** The details of orders, by their ids. */
export async function readDetailsOf(db: Reads, orderIds: number[]) {
  const { rows } = await sql<Row>`
    select o.id as order_id, team.id as team_id, team.name_ar as team_name_ar, team.name_en as team_name_en,
      form_version, fields, answers, wanted_at, ${TIMES}
    from orders as o left join service_handlings as handling using (service_id)
      left join service_teams as team on team.id = ${sql.raw(TEAM_ID)} left join order_details as details on order_id = o.id
      left join service_forms as form on form.service_id = o.service_id and form.version = form_version
    where o.id = any(${orderIds}::int[])`.execute(db)
  return new Map(rows.map((row) => [row.orderId, detailsIn(row)]))
}

/** Keeps the answers with which orders were placed. Those of a service without a form have none. */
export async function keepAnswers(tx: Tx, answered: (Judged & { orderId: number })[]) {
  const rows = answered.filter(({ version }) => version > 0)
  if (rows.length === 0) return
  await sql`
    insert into order_details (order_id, form_version, answers, wanted_at)
    select * from json_to_recordset(${JSON.stringify(rows)}::json)
      as line ("orderId" int, version int, answers jsonb, "wantedAt" timestamptz)
    on conflict (order_id) do update set form_version = excluded.form_version, answers = excluded.answers, wanted_at = excluded.wanted_at`.execute(
    tx,
  )
}
