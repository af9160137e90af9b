import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { type List, PART } from '../../platform/list.ts'

/** What became of the rows that were shown, in the list as it is now. */
export function compare<Row>(
  shown: ReadonlyMap<number, Row>,
  at: (index: number) => Row | undefined,
  length: number,
  id: (row: Row) => number,
) {
  const before = new Set(Array.from(shown.values(), id))
  const end = Math.min(length, Math.max(-1, ...shown.keys()) + PART)
  const now = new Map<number, Row>()
  let isWhole = true
  let others = 0
  let news = 0
  for (let index = 0; index < end; index++) {
    const row = at(index)
    if (row === undefined) {
      isWhole = false
      continue
    }
    now.set(id(row), row)
    if (before.has(id(row))) news = others
    else others++
  }
  // Of rows that are not read it is not known whether they are gone.
  const gone = new Set(isWhole ? [...before].filter((one) => !now.has(one)) : [])
  return { now, news: before.size > 0 && now.size > 0 && gone.size === before.size ? others : news, gone }
}

/**
 * A list whose rows keep their places while the pointer or the focus is among them: what has changed meanwhile shows in its row, what has
 * come above others is counted, and what is gone stays until the hand leaves or `show` is called. `query` names the query in force.
 */
export function useSteady<Row>(list: List<Row>, id: (row: Row) => number, query: string) {
  const hand = useSignal({ pointer: false, focus: false })
  const shown = useRef<{ query: string; rows: Map<number, Row> }>({ query, rows: new Map() })
  const { pointer, focus } = hand.value
  const isHeld = (pointer || focus) && shown.current.query === query && !list.isFormer
  if (!isHeld) shown.current = { query, rows: new Map() }
  const { rows } = shown.current
  const { now, news, gone } = isHeld ? compare(rows, list.at, list.length, id) : { now: new Map(), news: 0, gone: new Set() }
  return {
    list: {
      ...list,
      length: list.length + gone.size - news,
      at(index: number) {
        const former = rows.get(index)
        const row = former ? (now.get(id(former)) ?? former) : list.at(index + news - gone.size)
        if (row !== undefined) rows.set(index, row)
        return row
      },
    } satisfies List<Row>,
    news,
    isGone: (row: Row) => gone.has(id(row)),
    show() {
      shown.current = { query, rows: new Map() }
      hand.value = { ...hand.peek() }
    },
    /** For the element around the list. */
    hand: {
      onPointerEnter: () => {
        hand.value = { ...hand.peek(), pointer: true }
      },
      onPointerLeave: () => {
        hand.value = { ...hand.peek(), pointer: false }
      },
      onFocusIn: () => {
        hand.value = { ...hand.peek(), focus: true }
      },
      onFocusOut: ({ relatedTarget, currentTarget }: FocusEvent) => {
        hand.value = { ...hand.peek(), focus: (currentTarget as Element).contains(relatedTarget as Node | null) }
      },
    },
  }
}
