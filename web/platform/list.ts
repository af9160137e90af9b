/** A list that the portal hands out in parts: the parts in sight are asked for, the others are remembered as long as the cache has room. */
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { type Resource, resource } from './cache.ts'
import type { Parameters, Readable, Reply } from './readable.ts'

/** So many rows are asked for at once. */
export const PART = 100

/** The addresses that answer a list, whether bare or with what belongs to it. */
type Listed<R> = R extends readonly (infer Row)[] ? Row : R extends { items: readonly (infer Row)[] } ? Row : never
export type RowOf<P extends Readable> = Listed<Reply<P>>
export type Query<P extends Readable> = Parameters<P> extends { query?: infer Q } ? Omit<NonNullable<Q>, 'limit' | 'offset'> : never

export interface List<Row> {
  /** How many rows there are; undefined while the portal has not said. */
  total: number | undefined
  /** How many rows to draw: what is known, and where more may follow, a part besides. */
  length: number
  /** A row, or undefined while it is not there. Reading it in a component subscribes the component. */
  at(index: number): Row | undefined
  /** Which rows are in sight: their parts are asked for, and kept true. */
  show(from: number, to: number): void
  /** Whether it is known if there is anything. */
  isKnown: boolean
  /** Why rows in sight could not be read. */
  error: Error | undefined
  /** When the rows in sight were true, in ms since 1970, where they could not be read again since. */
  asOf: number | undefined
  /** Whether the rows are those of a former query, until those of this one come. */
  isFormer: boolean
  /** Asks for the rows in sight again. */
  refresh(): void
}

const rowsOf = <Row>(data: unknown) => (data && !Array.isArray(data) ? (data as { items: Row[] }).items : data) as Row[] | undefined

/**
 * The list at an address. What was known of the former query stays until the first part of the new one is there, so that typing does not
 * empty the page.
 */
export function useList<P extends Readable>(path: P, query: Query<P>): List<RowOf<P>> {
  const view = useSignal({ from: 0, to: PART })
  const key = JSON.stringify(query)
  const inForce = useRef({ key, query })
  const resourceOf = (of: Query<P>, part: number) =>
    resource(path, { query: { ...of, limit: PART, offset: part * PART } } as unknown as Parameters<P>) as Resource<unknown>
  const first = resourceOf(query, 0)
  if (first.data !== undefined || first.error) inForce.current = { key, query }
  const now = inForce.current.query
  // Looked up once: a row is asked for by its part, thousands of rows at a time.
  const found = new Map<number, Resource<unknown>>()
  function partOf(part: number) {
    const known = found.get(part) ?? resourceOf(now, part)
    found.set(part, known)
    return known
  }
  const from = Math.floor(view.value.from / PART)
  const parts = Array.from({ length: Math.max(1, Math.ceil(view.value.to / PART) - from) }, (_, index) => partOf(from + index))
  // Read here, so that the component is drawn again when they come.
  const shown = parts.filter((part) => part.data !== undefined)
  const newest = [partOf(0), ...shown].toSorted((one, other) => other.updatedAt - one.updatedAt)[0]
  const total = newest?.total ?? (newest?.peek() as { totalCount?: number } | undefined)?.totalCount

  /** How many rows follow one another from the beginning, and whether there may be more. */
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
