/** Reads lists in batches, no further than requested. A short list, of one batch, is sent as it is. */
import { type RawBuilder, type SelectQueryBuilder, type Simplify, sql } from 'kysely'
import type { Static, TSchema } from 'typebox'
import { batchesOf } from '../database/batches.ts'
import { alphabetically } from '../database/search.ts'
import type { Language } from '../tables.ts'
import { type Page, pageOf } from './page.ts'
import { type LongList, longList } from './wire.ts'

/** The requested part of a query's rows; without a limit, all after `offset`. */
export const partIn = <DB, TB extends keyof DB, Row>(rows: SelectQueryBuilder<DB, TB, Row>, { limit, offset }: Page) =>
  rows.$if(limit !== undefined, (some) => some.limit(limit!)).$if(offset !== undefined, (some) => some.offset(offset!))

/** An expression to sort by, and its value in a row, which must not be null. */
interface SortKey<Row> {
  by: RawBuilder<unknown>
  of: (row: Row) => unknown
}

const byId = (table: string) => ({ by: sql.ref(`${table}.id`), of: ({ id }: { id: number }) => id })

export const byName = (table: string, language: Language) => [
  { by: alphabetically(sql.ref<string>(`${table}.name`), language), of: ({ name }: { name: string }) => name },
  byId(table),
]

export const bySortOrder = (table: string) => [
  { by: sql.ref(`${table}.sortOrder`), of: ({ sortOrder }: { sortOrder: number }) => sortOrder },
  byId(table),
]

/** The rows of a query, or the requested part of them, in batches. They are sorted by `keys`, which together are unique. */
export function inOrder<DB, TB extends keyof DB, Row>(
  rows: SelectQueryBuilder<DB, TB, Row>,
  keys: readonly SortKey<Simplify<Row>>[],
  { limit, offset = 0 }: Page,
) {
  const order = sql.join(keys.map(({ by }) => by))
  const ordered = keys.reduce((query, { by }) => query.orderBy(by), rows)
  return batchesOf<Simplify<Row>, Simplify<Row>>({
    read: (after, most) =>
      (after === null ? ordered.offset(offset) : ordered.where(sql<boolean>`(${order}) > (${sql.join(keys.map(({ of }) => of(after)))})`))
        .limit(most)
        .execute(),
    keyOf: (row) => row,
    ...(limit !== undefined && { limit }),
  })
}

export async function countOf<DB, TB extends keyof DB, Row>(rows: SelectQueryBuilder<DB, TB, Row>) {
  const counted = rows.clearSelect().clearOrderBy().select(sql`count(*)`.as('count'))
  return (await counted.$castTo<{ count: number }>().executeTakeFirstOrThrow()).count
}

/** A page of a query's rows, with the number of all rows. They are not counted if the caller passes `count`. */
export const paged = async <DB, TB extends keyof DB, Row>(rows: SelectQueryBuilder<DB, TB, Row>, page: Page, count?: number) =>
  pageOf('items', await partIn(rows, page).execute(), count ?? (await countOf(rows)), page)

const BATCH = 500

/** The rows with these ids, in the order of the ids, batch by batch. Deleted rows are left out. */
export async function* withIds<Row extends { id: number }>(ids: readonly number[], read: (some: readonly number[]) => Promise<Row[]>) {
  for (let from = 0; from < ids.length; from += BATCH) {
    const some = ids.slice(from, from + BATCH)
    const rows = new Map((await read(some)).map((row) => [row.id, row]))
    yield some.flatMap((id) => rows.get(id) ?? [])
  }
}

/** A list that is read in batches: returned as it is if there is one batch, otherwise sent while it is read. */
export async function listOf<S extends TSchema>(
  item: S,
  batches: AsyncGenerator<Static<S>[]>,
): Promise<Static<S>[] | LongList<Static<S>[]>> {
  const [first, second] = [await batches.next(), await batches.next()]
  if (second.done) return first.value ?? []
  async function* all() {
    yield first.value
    yield second.value
    yield* batches
  }
  return longList(item, all())
}
