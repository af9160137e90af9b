import { sql } from 'kysely'
import type { Reads } from '../database/db.ts'
import { refuseField } from '../errors/refusal.ts'
import { momentIn } from './page.ts'

/**
 * The moment in a field of a request; null and undefined stay as they are. Refuses a moment that has passed or is more than `days` days
 * away.
 */
export async function momentAhead<Absent extends null | undefined>(
  db: Reads,
  text: string | Absent,
  { path, days }: { path: string; days: number },
) {
  if (typeof text !== 'string') return text
  const moment = momentIn(text, path)
  const { rows } = await sql<{ isPossible: boolean }>`
    select ${moment}::timestamptz > statement_timestamp()
      and ${moment}::timestamptz <= statement_timestamp() + make_interval(days => ${days}::int) as is_possible`.execute(db)
  return rows[0]!.isPossible ? moment : refuseField(path, 'comingDays', { limit: days })
}
