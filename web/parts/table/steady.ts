import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { type List, PART } from '../../platform/list.ts'

/** What was on the page when the hand came: the rows that were shown, by their places, and the ids of all that were read. */
export interface Held<Row> {
  query: string
  rows: Map<number, Row>
  known: Set<number>
}

/**
 * What became of the rows that were shown, in the list as it is now. Only what is read without a gap from the beginning can tell: a row
 * there that was not known is news where a known one follows it; after all that were known it has only been read.
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
  // A row that others have pushed beyond the gap is not gone.
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
 * A list whose rows keep their places while the pointer or the focus is among them: what has changed meanwhile shows in its row, what has
 * come above others is counted, and what is gone stays until the hand leaves or `show` is called. `query` names the query in force.
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
