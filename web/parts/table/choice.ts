import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import type { List } from '../../platform/list.ts'

/** Which rows of a list are chosen: some, also of former queries, or all that the query finds. */
export interface Choice<Row> {
  /** Those chosen one by one; empty where all are. */
  rows: readonly Row[]
  /** All that the query finds, whether or not they were read. */
  isAll: boolean
  count: number
  has(row: Row): boolean
  /** Chooses a row, or no longer. */
  toggle(index: number): void
  /** Chooses all rows from the one that was chosen last up to this one. */
  extend(index: number): void
  /** Chooses the rows that were read. */
  chooseRead(): void
  chooseAll(): void
  clear(): void
}

/** `query` names the query in force: that all it finds are chosen ends with it. */
export function useChoice<Row>(list: List<Row>, id: (row: Row) => number, query: string): Choice<Row> {
  const chosen = useSignal<ReadonlyMap<number, Row>>(new Map())
  const allOf = useSignal<string | undefined>(undefined)
  const anchor = useRef(0)
  const isAll = allOf.value === query
  const read = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => list.at(from + index)).filter((row) => row !== undefined)
  const put = (rows: readonly Row[]) => {
    chosen.value = new Map([...(isAll ? [] : chosen.value), ...rows.map((row) => [id(row), row] as const)])
    allOf.value = undefined
  }
  return {
    rows: isAll ? [] : [...chosen.value.values()],
    isAll,
    count: isAll ? (list.total ?? list.length) : chosen.value.size,
    has: (row) => isAll || chosen.value.has(id(row)),
    toggle(index) {
      anchor.current = index
      const row = list.at(index)
      if (row === undefined) return
      if (isAll) return put(read(0, list.length - 1).filter((one) => one !== row))
      const next = new Map(chosen.value)
      if (!next.delete(id(row))) next.set(id(row), row)
      chosen.value = next
    },
    extend: (index) => put(read(Math.min(anchor.current, index), Math.max(anchor.current, index))),
    chooseRead: () => put(read(0, list.length - 1)),
    chooseAll() {
      allOf.value = query
    },
    clear() {
      chosen.value = new Map()
      allOf.value = undefined
    },
  }
}
