/** One statement made of named parts, so that recording a change takes a single round trip. */
import { type RawBuilder, sql } from 'kysely'

/** A part of the statement: its name, by which other parts read its rows, and its definition in the `with` clause. */
export interface Cte {
  name: RawBuilder<unknown>
  definition: RawBuilder<unknown>
  /** The part calls functions that write. The statement then reads the part, because the database would skip it otherwise. */
  isCalled?: true
}

/** Makes a part whose rows have these columns. The list is empty if no other part reads the rows. */
export function part(name: string, columns: readonly string[], body: RawBuilder<unknown>): Cte {
  const id = sql.id(name)
  const list = columns.length ? sql` (${sql.join(columns.map((column) => sql.id(column)))})` : sql``
  return { name: id, definition: sql`${id}${list} as materialized (${body})` }
}

/** The statement that runs all parts. A part that reads the rows of another part must come after it. */
export function statementOf(parts: readonly Cte[]) {
  const called = parts.filter(({ isCalled }) => isCalled).map(({ name }) => sql`(select count(*) from ${name})`)
  return sql`with ${sql.join(parts.map(({ definition }) => definition))} select ${called.length ? sql.join(called) : sql``}`
}
