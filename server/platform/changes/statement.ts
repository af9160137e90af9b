/** One statement made of named parts, so that recording a change takes a single round trip. */
import { type RawBuilder, sql } from 'kysely'

/** A part of the statement: its name, by which other parts read its rows, and its definition there. */
export interface Cte {
  name: RawBuilder<unknown>
  definition: RawBuilder<unknown>
  /** It calls functions that write; the statement reads it, or the database would skip it. */
  isCalled?: true
}

/** A part whose rows have these columns; one that nobody reads has none. */
export function part(name: string, columns: readonly string[], body: RawBuilder<unknown>): Cte {
  const id = sql.id(name)
  const list = columns.length ? sql` (${sql.join(columns.map((column) => sql.id(column)))})` : sql``
  return { name: id, definition: sql`${id}${list} as materialized (${body})` }
}

/** Runs all the parts; a part that reads another's rows comes after it. */
export function statementOf(parts: readonly Cte[]) {
  const called = parts.filter(({ isCalled }) => isCalled).map(({ name }) => sql`(select count(*) from ${name})`)
  return sql`with ${sql.join(parts.map(({ definition }) => definition))} select ${called.length ? sql.join(called) : sql``}`
}
