/** Access as it was at a moment: the state just after everything that had happened by then. */
import { sql } from 'kysely'
import { inSnapshot, type Reads } from '../../platform/database/db.ts'
import { refuseField } from '../../platform/errors/refusal.ts'
import { momentIn } from '../../platform/http/page.ts'

/**
 * Makes all later statements of this snapshot read the tables as they were at `at`. The portal gives times in whole milliseconds, so a
 * moment lasts one millisecond. A change that the ledger or a history dates to this moment counts, although it was committed a little
 * later.
 */
async function goBack(snapshot: Reads, at: Date) {
  const { rows } = await sql<{ isOver: boolean }>`
    select ${at}::timestamptz <= statement_timestamp() as "isOver",
      set_config('portal.moment', greatest(${at}::timestamptz + interval '999 microseconds', max(ended_at))::text, true),
      set_config('search_path', 'past', true)
    from access_moments where began_at >= ${at} and began_at < ${at}::timestamptz + interval '1 millisecond'`.execute(snapshot)
  if (!rows[0]!.isOver) refuseField('at', 'untilNow')
}

/** Runs `work` read-only in one snapshot: of the present or, with `at`, of that moment. Refuses a moment later than now. */
export const inSnapshotOf = <T>(db: Reads, at: string | undefined, work: (snapshot: Reads) => Promise<T>) => {
  const moment = at === undefined ? undefined : momentIn(at, 'at')
  return inSnapshot(db, async (snapshot) => {
    if (moment) await goBack(snapshot, moment)
    return work(snapshot)
  })
}
