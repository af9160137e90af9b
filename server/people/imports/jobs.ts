import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { unchanged } from '../../platform/changes/outcome.ts'
import type { Reads } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import type { Job, JobContext } from '../../platform/jobs/runner.ts'
import { addApplying, applySome, findBeingApplied, finish, leaveNext, MOST_APPLIED } from './applying.ts'

/** The job rests after each portion for this multiple of the time it took, so that other commands get their turn. */
const REST = 1
/** After this many portions a new job continues, because a portal that stops waits for its running jobs. */
const MOST_PORTIONS = 10

/** Applies an import, in portions. A killed job is run again and continues where it was. */
export const applyImport: Job<{ importId: number }> = async ({ importId }, context) => {
  const { transact, db, deletionHooks, config, isLastTry } = context
  const one = await findBeingApplied(db.reads, importId)
  if (!one) return
  /** The number of rows still to be applied one by one, because their portion was refused. */
  let singly = 0
  const next = async () => {
    try {
      const work = { one, config, holders: deletionHooks('users') }
      return await transact(one.author, (tx) => applySome({ tx, ...work }, singly > 0 ? 1 : MOST_APPLIED), { locks: 'access' })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (error.code === 'forbidden') return transact(null, (tx) => finish(tx, one, 'not_administrator'))
      if (singly > 0) return transact(null, (tx) => leaveNext(tx, one, error))
      singly = MOST_APPLIED + 1
      return false
    }
  }
  try {
    for (let portions = 0; portions < MOST_PORTIONS; ) {
      const begun = performance.now()
      if (await next()) return
      if (singly > 0) singly--
      else portions++
      await pause(REST * (performance.now() - begun))
    }
    await transact(null, async (tx) => unchanged(await addApplying(tx, importId)))
  } catch (error) {
    if (isLastTry) await transact(null, (tx) => finish(tx, one, 'error'))
    throw error
  }
}

/** The imports in the state `applying` whose job is gone, because it failed too often. */
const findInterrupted = async (db: Reads) =>
  (
    await sql<{ id: number }>`
      select id from user_imports as i where state = 'applying' and not exists (
        select from graphile_worker.jobs where queue_name = 'import_' || i.id and attempts < max_attempts) order by id`.execute(db)
  ).rows

/** Adds a new job for imports whose job is gone. */
export const watchImports: Job = async (_payload, { db, transact }: JobContext) => {
  for (const { id } of await findInterrupted(db.reads)) await transact(null, async (tx) => unchanged(await addApplying(tx, id)))
}
