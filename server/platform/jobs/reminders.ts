/** One job sends all due reminders, each once. A feature gives SQL for its due reminders, and returns the changes that notify people. */
import { type RawBuilder, sql } from 'kysely'
import { type Change, changedIf } from '../changes/outcome.ts'
import type { Tx } from '../database/db.ts'
import { forEach } from './each.ts'
import type { Job } from './runner.ts'

const BATCH = 200

/** A reminder that is due. `objectId` is the second id of a subject that has two. If `deadline` moves, the subject gets new reminders. */
export interface Due {
  subjectId: number
  objectId: number
  deadline: Date
  days: number
}

export interface Reminders {
  /** The `kind` of these reminders in the table `reminders`. */
  name: string
  /**
   * SQL: the reminders of all subjects that have not ended, with the columns of `Due` and with `due_at`, the moment at which a reminder is
   * due. Of several due reminders of one subject, only the last is sent. `days` tells the reminders of a subject apart.
   */
  planned: RawBuilder<unknown>
  /** SQL: whether a row of `planned` is sent even if a later one of its subject is due as well. */
  isOwn?: RawBuilder<unknown>
  /** SQL: whether a row of `due` is still to be sent, for conditions that are too expensive to check for all subjects. */
  stands?: RawBuilder<unknown>
  /** Makes the changes that notify people of these reminders. */
  changes: (tx: Tx, due: readonly Due[]) => Promise<Change[]>
}

/**
 * Records at most `most` due reminders as sent, and returns them. Leaves out those that a concurrent transaction records. Without
 * `offset 0`, the planner may read all reminders that were ever sent.
 */
export async function noteDue(tx: Tx, { name, planned, isOwn, stands = sql`true` }: Omit<Reminders, 'changes'>, most = BATCH) {
  const series = isOwn ? sql`subject_id, object_id, ${isOwn}` : sql`subject_id, object_id`
  const { rows } = await sql<Due>`
    with last as (
        select distinct on (${series}) subject_id, object_id, deadline, days, due_at from (${planned}) as planned
        where due_at <= statement_timestamp() order by ${series}, due_at desc),
      due as materialized (
        select * from last where not exists (
          select from reminders as sent where sent.kind = ${name} and sent.subject_id = last.subject_id and sent.object_id = last.object_id
            and sent.deadline = last.deadline and sent.days = last.days offset 0))
    insert into reminders (kind, subject_id, object_id, deadline, days)
    select ${name}, subject_id, object_id, deadline, days from due where ${stands}
    order by due_at, subject_id, object_id limit ${most}
    on conflict do nothing returning subject_id, object_id, deadline, days`.execute(tx)
  return rows
}

/** Records that the reminder was sent, for a subject that has only one. */
export const noteSent = (tx: Tx, { name }: Reminders, subjectId: number) =>
  tx.insertInto('reminders').values({ kind: name, subjectId }).execute()

/** The job that sends the reminders of every kind. */
export const reminding =
  (all: readonly Reminders[]): Job =>
  (_payload, { transact }) =>
    forEach(all, async (reminders) => {
      const send = () =>
        transact(null, async (tx) => {
          const due = await noteDue(tx, reminders)
          return changedIf(due.length, due.length ? await reminders.changes(tx, due) : [])
        })
      while ((await send()) === BATCH);
    })
