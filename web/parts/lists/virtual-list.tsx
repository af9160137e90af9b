import { useSignal } from '@preact/signals'
import { type ComponentChildren, Fragment } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { isPrinting, useKept } from './state.ts'

interface VirtualListProps<Row> {
  rows: readonly Row[]
  id: (row: Row) => number | string
  /** The usual height of a row, in px; each row is measured once rendered. */
  height: number
  label?: string
  class?: string
  children: (row: Row, index: number) => ComponentChildren
}

const SPARE_PX = 600
const FEW = 60

/**
 * A list of any length that scrolls with the page or a box in it, and renders only rows near the window; a short list is rendered whole, and
 * any list while it is printed. `children` must return an `<li>`. The browser's Back finds the heights of the rows again, without which the
 * page would be scrolled to other rows; `label` is unique on the page.
 */
export function VirtualList<Row>({ rows, id, height, label, class: name, children }: VirtualListProps<Row>) {
  const list = useRef<HTMLUListElement>(null)
  const heights = useKept(label, new Map<number | string, number>()).peek()
  const view = useSignal({ from: 0, to: innerHeight + SPARE_PX })
  const isWhole = rows.length <= FEW || isPrinting.value
  useLayoutEffect(() => {
    if (isWhole) return
    const look = () => {
      const top = list.current?.getBoundingClientRect().top ?? 0
      const from = -top - SPARE_PX
      if (Math.abs(from - view.peek().from) > SPARE_PX / 3) view.value = { from, to: -top + innerHeight + SPARE_PX }
    }
    look()
    // Capturing, because the page or a box around the list may scroll.
    addEventListener('scroll', look, { passive: true, capture: true })
    addEventListener('resize', look)
    return () => {
      removeEventListener('scroll', look, { capture: true })
      removeEventListener('resize', look)
    }
  }, [isWhole])
  useLayoutEffect(() => {
    const drawn = list.current?.querySelectorAll<HTMLElement>(':scope > li') ?? []
    const gap = list.current ? Number.parseFloat(getComputedStyle(list.current).rowGap) || 0 : 0
    let index = first
    for (const row of drawn) {
      const one = rows[index++]
      if (one !== undefined) heights.set(id(one), row.offsetHeight + gap)
    }
  })

  const heightOf = (row: Row) => heights.get(id(row)) ?? height
  let first = 0
  let above = 0
  let end = rows.length
  let below = 0
  if (!isWhole) {
    let top = 0
    first = rows.length
    for (const [index, row] of rows.entries()) {
      const bottom = top + heightOf(row)
      if (bottom < view.value.from) above = bottom
      else if (first === rows.length) first = index
      if (top > view.value.to && end === rows.length) end = index
      top = bottom
      if (index >= end) below += heightOf(row)
    }
  }
  return (
    <ul ref={list} class={name} aria-label={label} style={isWhole ? undefined : { paddingBlock: `${above}px ${below}px` }}>
      {rows.slice(first, end).map((row, index) => (
        <Fragment key={id(row)}>{children(row, first + index)}</Fragment>
      ))}
    </ul>
  )
}
