/** A list that the portal sends in parts. The parts in sight are fetched; the rest stay as long as the cache has room. */
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { type Resource, resource } from './cache.ts'
import type { Parameters, Readable, Reply } from './readable.ts'

/** The number of rows in a part. */
export const PART = 100

/** The type of the rows of an answer. The answer is a list, or has one as its `items`. */
type Listed<R> = R extends readonly (infer Row)[] ? Row : R extends { items: readonly (infer Row)[] } ? Row : never
export type RowOf<P extends Readable> = Listed<Reply<P>>
type Place<P extends Readable> = Parameters<P> extends { path: infer V } ? V : undefined
export type Query<P extends Readable> = Parameters<P> extends { query?: infer Q } ? Omit<NonNullable<Q>, 'limit' | 'offset'> : never

export interface List<Row> {
  /** The number of rows; undefined until the portal has sent it. */
  total: number | undefined
  /** The number of rows to render: `total`, or until that is known, the loaded rows and one more part if there may be more. */
  length: number
  /** A row, or undefined until it is loaded. Reading it in a component subscribes the component. */
  at(index: number): Row | undefined
  /** Sets which rows are in sight: their parts are fetched and kept up to date. */
  show(from: number, to: number): void
  /** Whether it is known if the list has any rows. */
  isKnown: boolean
  /** The failure of a part in sight that has no data. */
  error: Error | undefined
  /** If rows in sight could not be read again: the time of the shown rows, in ms since 1970. */
  asOf: number | undefined
  /** Whether the rows still belong to the former query. */
  isFormer: boolean
  /** Fetches the rows in sight again. */
  refresh(): void
}

const rowsOf = <Row>(data: unknown) => (data && !Array.isArray(data) ? (data as { items: Row[] }).items : data) as Row[] | undefined

/**
 * The list at an address; `place` has the values in the address, such as `{ id: 7 }`. When the query changes, the former rows stay until
 * the first part of the new list arrives, so that typing does not empty the page.
 */
export function useList<P extends Readable>(path: P, query: Query<P>, place?: Place<P>): List<RowOf<P>> {
  const view = useSignal({ from: 0, to: PART })
  const key = JSON.stringify(query)
  const inForce = useRef({ key, query })
  const resourceOf = (of: Query<P>, part: number) =>
    resource(path, {
      ...(place && { path: place }),
      query: { ...of, limit: PART, offset: part * PART },
    } as unknown as Parameters<P>) as Resource<unknown>
  const first = resourceOf(query, 0)
  if (first.data !== undefined || first.error) inForce.current = { key, query }
  const now = inForce.current.query
  // A cache of the lookups, because thousands of rows read their part.
  const found = new Map<number, Resource<unknown>>()
  function partOf(part: number) {
    const known = found.get(part) ?? resourceOf(now, part)
    found.set(part, known)
    return known
  }
  const from = Math.floor(view.value.from / PART)
  const inSight = Array.from({ length: Math.max(1, Math.ceil(view.value.to / PART) - from) }, (_, index) => from + index)
  const parts = inSight.map(partOf)
  // Reading the data here renders the component again when they arrive.
  const shown = parts.filter((part) => part.data !== undefined)
  const newest = [0, ...inSight].toSorted((one, other) => partOf(other).updatedAt - partOf(one).updatedAt)[0]!
  const total = totalBy(newest)

  /**
   * The length of the whole list according to one part. The portal counts the rows a moment before it reads them, so the count may be
   * wrong if the list changes in between. The rows of the last part therefore decide.
   */
  function totalBy(part: number) {
    const { total, peek } = partOf(part)
    const told = total ?? (peek() as { totalCount?: number } | undefined)?.totalCount
    const count = rowsOf(peek())?.length
    const isLast = told !== undefined && told <= (part + 1) * PART && (count || part === 0)
    return isLast && count !== undefined ? part * PART + Math.min(count, PART) : told
  }

  /** The number of rows loaded without a gap from the beginning, and one part more if there may be more. */
  function counted() {
    for (let part = 0; ; part++) {
      const rows = rowsOf(partOf(part).peek())
      if (rows === undefined) return part === 0 ? 0 : (part + 1) * PART
      if (rows.length < PART) return part * PART + rows.length
    }
  }
  return {
    total,
    isKnown: partOf(0).data !== undefined,
    length: total ?? counted(),
    at: (index) => rowsOf<RowOf<P>>(partOf(Math.floor(index / PART)).peek())?.[index % PART],
    show(from, to) {
      if (from !== view.peek().from || to !== view.peek().to) view.value = { from, to }
    },
    error: parts.find((part) => part.data === undefined && part.error)?.error,
    asOf: shown.find((part) => part.error)?.updatedAt,
    isFormer: inForce.current.key !== key,
    refresh: () => {
      for (const part of parts) part.refresh()
    },
  }
}
