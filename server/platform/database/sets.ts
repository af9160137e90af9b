/** Sets of ids: what they gain and lose, and whether all of them exist. */
import { sql } from 'kysely'
import { refuse } from '../errors/refusal.ts'
import type { Tables } from '../tables.ts'
import type { Reads, Tx } from './db.ts'

export interface Moves {
  added: number[]
  removed: number[]
}
export const noMoves: Moves = { added: [], removed: [] }
export const hasMoved = ({ added, removed }: Moves) => added.length + removed.length > 0

export const ascending = (ids: Iterable<number>) => [...ids].sort((a, b) => a - b)

/** The ids that a set gains and loses when it becomes `after`, which may contain duplicates. */
export function movesBetween(before: readonly number[], after: readonly number[]): Moves {
  const had = new Set(before)
  const has = new Set(after)
  return {
    added: ascending([...has].filter((id) => !had.has(id))),
    removed: ascending([...had].filter((id) => !has.has(id))),
  }
}

/** The `changed` entry of an update for a set, without the ids that stayed: a group can have 100,000 members. Empty if nothing moved. */
export const changedSet = (field: string, moves: Moves) => (hasMoved(moves) ? { [field]: { from: moves.removed, to: moves.added } } : {})

/** A table whose rows have an `id`. */
type Table = { [Name in keyof Tables]: Tables[Name] extends { id: unknown } ? Name : never }[keyof Tables]
const existing = (table: Table, ids: readonly number[]) =>
  sql<{ id: number }>`select id from ${sql.table(table)} where id = any(${ids}::int[]) order by id`

/** Refuses `unknown_ids` unless every id is among the rows. */
export function refuseUnknown(ids: readonly number[], rows: readonly { id: number }[]) {
  const known = new Set(rows.map(({ id }) => id))
  const unknownIds = ascending(new Set(ids.filter((id) => !known.has(id))))
  if (unknownIds.length) refuse('unknown_ids', { body: { unknownIds } })
}

/** Refuses `unknown_ids` unless every id exists. */
export async function checkKnown(db: Reads, table: Table, ids: readonly number[]) {
  if (ids.length) refuseUnknown(ids, (await existing(table, ids).execute(db)).rows)
}

/** Refuses `unknown_ids` unless every id exists, and prevents their deletion until the transaction ends. */
export async function lockExisting(tx: Tx, table: Table, ids: readonly number[]) {
  if (ids.length) refuseUnknown(ids, (await sql<{ id: number }>`${existing(table, ids)} for key share`.execute(tx)).rows)
}
