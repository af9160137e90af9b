/** Deletes rows that are no longer needed: one job for all tables, in batches, so that even a long backlog takes only short statements. */
import { sql } from 'kysely'
import type { Db } from '../database/db.ts'
import { forEach } from './each.ts'
import type { Job, JobContext } from './runner.ts'

const BATCH = 10_000

/** The rows of the table `name` whose `column` is longer than `after` ago. */
export interface OldRows {
  name: string
  /** A column, or an expression of SQL. */
  column: string
  /** An interval of PostgreSQL. */
  after: string
  /** A condition of SQL: such rows stay. */
  unless?: string
}
/** A clean-up that does more than delete rows. */
export interface Cleaning {
  name: string
  clean: (context: JobContext) => Promise<unknown>
}

/** Repeats `act`, which returns how many rows it found, until it finds less than a whole batch. */
export async function inBatches(act: (most: number) => Promise<number>, most = BATCH) {
  while ((await act(most)) === most);
}

const deleteOld = (db: Db, { name, column, after, unless = 'false' }: OldRows) =>
  inBatches(async (most) => {
    const [table, moment] = [sql.table(name), sql.raw(column)]
    const isOld = sql`${moment} < now() - ${after}::interval and not (${sql.raw(unless)})`
    // The condition stands twice because PostgreSQL does not recheck the `ctid` of a row that is updated in between.
    const { numAffectedRows } = await sql`
      delete from ${table} where ${isOld} and ctid = any(array(
        select ctid from ${table} where ${isOld} order by ${moment} limit ${most}))`.execute(db.writes)
    return Number(numAffectedRows)
  })

/** The job that runs these clean-ups, in this order. */
export const cleaningUp =
  (all: readonly (OldRows | Cleaning)[]): Job =>
  (_payload, context) =>
    forEach(all, (one) => ('clean' in one ? one.clean(context) : deleteOld(context.db, one)))
