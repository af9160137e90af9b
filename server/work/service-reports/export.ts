/** The orders of one service as rows of a CSV file. */
import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../platform/auth/actor.ts'
import type { Reads } from '../../platform/database/db.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import type { AsLongAs } from '../../platform/http/call-input.ts'
import type { Language } from '../../platform/tables.ts'
import { TEAM_ID, TIMES } from '../orders/queries.ts'
import type { Kind } from '../service-forms/rules.ts'
import { isKnownTo } from '../services/queries.ts'
import { type Counted, checkDays, countedFor, type ReportFilter } from './queries.ts'

const MOST_ROWS = 50_000
const ROWS_AT_ONCE = 500

export const FIXED_COLUMNS = [
  ...(['id', 'placed_at', 'placer', 'beneficiary', 'team', 'status', 'wanted_at', 'receive_by', 'received_at', 'complete_by'] as const),
  ...(['completed_at', 'minutes_used', 'reason'] as const),
] as const

const ROWS = sql.raw(`orders as o left join service_handlings as handling using (service_id)
  left join order_figures as figures on figures.order_id = o.id`)
/**
 * SQL: whether the order `o` belongs to the export; for leads, only released orders do. The day of an order that never moved is not stored
 * yet, so it is computed.
 */
const chosen = ({ from, to, serviceId }: ReportFilter & { serviceId: number }, { teams, isLead }: Counted) => sql`
  o.service_id = ${serviceId} and coalesce(figures.day, office_day(o.created_at)) between ${from}::date and ${to}::date
  and ${teams === null ? sql`true` : sql`${sql.raw(TEAM_ID)} = any(${teams}::int[])`} and ${isLead ? sql`o.hold is null` : sql`true`}`

/**
 * SQL that chooses the orders, and the number of orders that are omitted because of the limit. Refuses `forbidden`. Refuses `not_found` for
 * a service that the caller may not know of, unless they are a lead and the export has orders.
 */
export async function openExport(db: Reads, actor: Actor, filter: ReportFilter & { serviceId: number }, asLongAs: AsLongAs) {
  checkDays(filter)
  const known = await db.selectFrom('services').select('id').where('id', '=', filter.serviceId).where(isKnownTo(actor)).executeTakeFirst()
  const which = chosen(filter, await countedFor(db, actor, filter, asLongAs))
  const { rows } = await sql<{ count: number }>`select count(*) from ${ROWS} where ${which}`.execute(db)
  if (!known && (actor.isAdmin || rows[0]!.count === 0)) refuse('not_found')
  return { which, omitted: Math.max(rows[0]!.count - MOST_ROWS, 0) }
}

interface Column {
  key: string
  kind: Kind
}
/** The keys of all versions of a form with their kinds, in the order of their first appearance. */
export async function columnsOf(db: Reads, serviceId: number) {
  const { rows } = await sql<Column>`
    select distinct on (version, place, key) key, kind from (
      select distinct on (field ->> 'key') field ->> 'key' as key, field ->> 'kind' as kind, version, place
      from service_forms cross join lateral jsonb_array_elements(fields) with ordinality as line (field, place)
      where service_id = ${serviceId} order by field ->> 'key', version) as first
    order by version, place, key`.execute(db)
  return rows
}

interface Row {
  id: number
  placedAt: Date
  placer: string | null
  beneficiary: string | null
  team: { nameAr: string; nameEn: string } | null
  status: string
  wantedAt: Date | null
  receiveBy: Date | null
  receivedAt: Date | null
  completeBy: Date | null
  completedAt: Date | null
  minutesUsed: number | null
  reason: string | null
  answers: Record<string, unknown> | null
  files: Record<string, string> | null
}

/** The cells of the orders, newest first, in batches. */
export async function* pageExportRows(db: Reads, which: RawBuilder<unknown>, columns: Column[], language: Language) {
  for (let [last, left] = [2 ** 31 - 1, MOST_ROWS]; left > 0; ) {
    const most = Math.min(left, ROWS_AT_ONCE)
    const { rows } = await sql<Row>`
      select o.id, o.created_at as placed_at, placer.username as placer, coalesce(beneficiary_username, placer.username) as beneficiary,
        case when team.id is not null then json_build_object('nameAr', team.name_ar, 'nameEn', team.name_en) end as team, o.status, wanted_at,
        ${TIMES}, answers,
        coalesce(cancel_reason, (select note from order_approvals where order_approvals.order_id = o.id and is_denial)) as reason,
        (select json_object_agg(uuid, name) from order_files as used join objects on objects.id = object_id
          where used.order_id = o.id and message_id is null and note_id is null) as files
      from ${ROWS} left join lateral named_team(${sql.raw(TEAM_ID)}) as team on true
        left join order_details as details on details.order_id = o.id left join users as placer on placer.id = o.user_id
      where ${which} and o.id < ${last} order by o.id desc limit ${most}`.execute(db)
    yield rows.map((row) => cellsOf(row, columns, language))
    if (rows.length < most) return
    last = rows.at(-1)!.id
    left -= rows.length
  }
}

const textOf = (value: string | number | boolean | Date | null | undefined) =>
  value instanceof Date ? value.toISOString() : String(value ?? '')

function cellsOf(row: Row, columns: Column[], language: Language) {
  const { id, placedAt, placer, beneficiary, team, status, wantedAt, receiveBy, receivedAt, completeBy, completedAt, minutesUsed, reason } =
    row
  const teamName = team && (language === 'ar' ? team.nameAr : team.nameEn)
  const fixed = [
    ...[id, placedAt, placer, beneficiary, teamName, status, wantedAt, receiveBy, receivedAt, completeBy, completedAt, minutesUsed, reason],
  ]
  // A map, because every object has properties such as `constructor`, which may also be keys of fields.
  const answers = new Map(Object.entries(row.answers ?? {}))
  return [...fixed.map(textOf), ...columns.map(({ key, kind }) => answerText(answers.get(key), kind, row, language))]
}

/** The text of an answer for one cell. If the answer has several parts, `; ` separates them. */
function answerText(answer: unknown, kind: Kind, { files }: Row, language: Language): string {
  if (answer === undefined || answer === null) return ''
  switch (kind) {
    case 'items':
      return Object.entries(answer)
        .map(([key, count]) => `${key}=${count}`)
        .join('; ')
    case 'choices':
      return (answer as string[]).join('; ')
    case 'files':
      return (answer as string[]).map((id) => files?.[id] ?? '').join('; ')
    case 'person': {
      const { nameAr, nameEn } = answer as { nameAr: string; nameEn: string }
      return language === 'ar' ? nameAr : nameEn
    }
    default:
      return String(answer)
  }
}
