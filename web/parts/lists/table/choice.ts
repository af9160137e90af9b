import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { List } from '../../../platform/list.ts'

/** The chosen rows of a list: single rows, including rows of former queries, or all results of the query. */
export interface Choice<Row> {
  /** The rows chosen one by one; empty if all are chosen. */
  rows: readonly Row[]
  /** Whether all results are chosen, including rows that are not loaded. */
  isAll: boolean
  count: number
  has(row: Row): boolean
  /** Chooses a row, or deselects it. If all results were chosen, only the other loaded rows stay chosen. */
  toggle(index: number): void
  /** Chooses the loaded rows from the last toggled one to this one. */
  extend(index: number): void
  /** Chooses the loaded rows. */
  chooseRead(): void
  chooseAll(): void
  clear(): void
}

/** `query` identifies the current query. A choice of all results ends when it changes. */
export function useChoice<Row>(list: List<Row>, id: (row: Row) => number, query: string): Choice<Row> {
  const chosen = useSignal<ReadonlyMap<number, Row>>(new Map())
  const allOf = useSignal<string | undefined>(undefined)
  const anchor = useRef(0)
  const isAll = allOf.value === query
  useEffect(
    () => () => {
      allOf.value = undefined
    },
    [query],
  )
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
      chosen.value = new Map()
      allOf.value = query
    },
    clear() {
      chosen.value = new Map()
      allOf.value = undefined
    },
  }
}
