/** Judges the moment for which an order is wanted, by the working time of its team. */
import { sql } from 'kysely'
import type { Reads } from '../../platform/database/db.ts'
import { calendarOf } from '../calendars/queries.ts'

interface Wanted {
  serviceId: number
  moment: Date
  /** The working minutes that the team needs before the moment. */
  leadMinutes: number
  maxDays: number
  /** Whether the team must work at that moment. */
  withinHours: boolean
}

/** The first rule that the moment breaks: `early`, `late` or `closed`. Null if it breaks none. */
export async function judgeWantedAt(db: Reads, { serviceId, moment, leadMinutes, maxDays, withinHours }: Wanted) {
  const { rows } = await sql<{ rule: 'early' | 'late' | 'closed' | null }>`
    select case
      when wanted < now or working_time(calendar.id, wanted) - working_time(calendar.id, now) < ${leadMinutes}::bigint * 60000000 then 'early'
      when wanted > now + make_interval(days => ${maxDays}::int) then 'late'
      when ${withinHours} and not is_working(calendar.id, wanted) then 'closed' end as rule
    from (select statement_timestamp() as now, ${moment}::timestamptz as wanted) as moments
      left join service_handlings on service_id = ${serviceId} left join service_teams as team on team.id = team_id
      cross join lateral (select ${calendarOf('team')} as id) as calendar`.execute(db)
  return rows[0]!.rule
}
