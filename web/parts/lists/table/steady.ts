import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { type List, PART } from '../../../platform/list.ts'

/** The list since the pointer or the focus arrived: the rows that were shown, by index, and the ids of all rows loaded so far. */
export interface Held<Row> {
  query: string
  rows: Map<number, Row>
  known: Set<number>
}

/**
 * Compares the shown rows with the list as it is now. Only the part that is loaded without a gap from the start counts. An unknown row in
 * this part is new if a known row follows it. Otherwise it may be an old row that was not loaded before.
 */
export function compare<Row>({ rows, known }: Held<Row>, at: (index: number) => Row | undefined, length: number, id: (row: Row) => number) {
  const before = new Set(Array.from(rows.values(), id))
  const now = new Map<number, Row>()
  let unknown: number[] = []
  let others = 0
  let news = 0
  let end = 0
  for (let row = at(0); row !== undefined && end < length; row = at(++end)) {
    now.set(id(row), row)
    if (known.has(id(row))) {
      others += unknown.length
      unknown = []
    } else unknown.push(id(row))
    if (before.has(id(row))) news = others
  }
  const isWhole = end >= length
  // A missing row near the end of the loaded part may only have moved beyond it, so it does not count as gone.
  const gone = new Set([...rows].flatMap(([index, row]) => ((isWhole || index + PART <= end) && !now.has(id(row)) ? id(row) : [])))
  const isReplaced = before.size > 0 && gone.size === before.size
  if (isReplaced) news = others + unknown.length
  else {
    for (const one of unknown) known.add(one)
    if ([...rows.keys()].some((index) => index >= end)) news = others
  }
  return { now, news, gone }
}

const nothing = (query: string) => ({ query, rows: new Map(), known: new Set<number>() })

/**
 * A list whose rows keep their places while the pointer or the focus is among them. Changed rows update in place, new rows above are
 * counted, and deleted rows stay until pointer and focus have left or `show` is called. `query` identifies the current query.
 */
export function useSteady<Row>(list: List<Row>, id: (row: Row) => number, query: string) {
  const hand = useSignal({ pointer: false, focus: false })
  const shown = useRef<Held<Row>>(nothing(query))
  const { pointer, focus } = hand.value
  const isHeld = (pointer || focus) && shown.current.query === query && !list.isFormer
  if (!isHeld) shown.current = nothing(query)
  const { rows } = shown.current
  const { now, news, gone } = isHeld ? compare(shown.current, list.at, list.length, id) : { now: new Map(), news: 0, gone: new Set() }
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
      shown.current = nothing(query)
      hand.value = { ...hand.peek() }
    },
    /** Props for the element around the list. */
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
