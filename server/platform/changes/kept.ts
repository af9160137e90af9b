/** Rows that deletions without force removed, kept for a while so that the deletion can be undone. */
import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../database/db.ts'
import type { TargetType } from './listed.ts'

/** How long a deletion can be undone, on the database's clock. */
const UNDO = sql`interval '30 seconds'`

/** Rows as the database writes them, by their tables. */
export type Kept = Record<string, Record<string, unknown>[]>

/** Keeps what a deletion is about to change: from each table, the rows that have the id in the given column, or that meet a condition. */
export const keepDeleted = (tx: Tx, type: TargetType, id: number, which: Record<string, string | RawBuilder<unknown>>) =>
  sql`
    insert into deletions (target_type, target_id, rows)
    select ${type}, ${id}::int, jsonb_build_object(${sql.join(
      Object.entries(which).flatMap(([table, rows]) => [
        sql.lit(table),
        sql`(
          select coalesce(jsonb_agg(to_jsonb(one)), '[]') from ${sql.table(table)} as one
          where ${typeof rows === 'string' ? sql`${sql.ref(rows)} = ${id}` : rows})`,
      ]),
    )})`.execute(tx)

interface Taken {
  action: string | null
  targetType: string
  targetId: number
  /** Null if the time to undo is over, or nothing was kept. */
  rows: Kept | null
}
/** Returns, only once, the rows that the deletion with this ledger id removed. Undefined if there is no such ledger row. */
export async function takeDeleted(tx: Tx, ledgerId: number): Promise<Taken | undefined> {
  const { rows } = await sql<Taken>`
    with entry as (select * from ledger where id = ${ledgerId}),
      taken as (
        delete from deletions using entry
        where (deletions.target_type, deletions.target_id, deletions.at) = (entry.target_type, entry.target_id, entry.at)
          and deleted_at >= clock_timestamp() - ${UNDO}
        returning deletions.rows)
    select action, target_type, target_id, (select rows from taken) as rows from entry`.execute(tx)
  return rows[0]
}

/** The ids among `ids` whose deletion can still be undone. */
export async function findUndoable(tx: Tx, type: TargetType, ids: readonly number[]) {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: number }>`
    select target_id as id from deletions
    where target_type = ${type} and target_id = any(${ids}::int[]) and deleted_at >= clock_timestamp() - ${UNDO}`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Puts rows back into their table, with their ids. */
export const restoreRows = (tx: Tx, table: string, rows: Kept[string]) =>
  sql`select restore_rows(${table}::regclass, ${JSON.stringify(rows)}::jsonb)`.execute(tx)
