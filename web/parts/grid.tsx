import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

export interface Column<Row> {
  key: string
  head: ComponentChildren
  cell: (row: Row) => ComponentChildren
  /** A track of CSS grid, such as `minmax(12rem, 2fr)`. */
  width: string
  /** Left out where the page is narrow. */
  wideOnly?: boolean
}

interface GridProps<Row> {
  label: string
  rows: readonly Row[]
  columns: Column<Row>[]
  id: (row: Row) => number
  /** The height of a row, in px. */
  height?: number
  /** Rows that are chosen, where rows can be. */
  chosen?: ReadonlySet<number>
  choose?: (id: number) => void
  /** What Enter on a row, or a press, does. */
  open?: (row: Row) => void
}

const SPARE = 6
/** Below so many px, columns for wide pages are left out. */
const NARROW = 640

/** A table of any length that draws the rows in sight. Arrows, Page Up and Down, Home and End walk it; Space chooses and Enter opens. */
export function Grid<Row>({ label, rows, columns: all, id, height = 56, chosen, choose, open }: GridProps<Row>) {
  const box = useRef<HTMLDivElement>(null)
  const view = useSignal({ top: 0, height: 800, width: NARROW })
  const current = useSignal(0)
  const look = () => {
    if (box.current) view.value = { top: box.current.scrollTop, height: box.current.clientHeight, width: box.current.clientWidth }
  }
  useLayoutEffect(() => {
    const watch = new ResizeObserver(look)
    if (box.current) watch.observe(box.current)
    return () => watch.disconnect()
  }, [])

  const inSight = Math.ceil(view.value.height / height)
  const first = Math.max(0, Math.floor(view.value.top / height) - SPARE)
  const last = Math.min(rows.length, first + inSight + 2 * SPARE)
  const here = Math.max(0, Math.min(current.value, rows.length - 1))
  // Whatever was scrolled to, one row can be reached by Tab.
  const reached = Math.max(first, Math.min(here, last - 1))
  const columns = view.value.width < NARROW ? all.filter(({ wideOnly }) => !wideOnly) : all
  const template = { '--columns': columns.map(({ width }) => width).join(' ') }

  function walk(event: KeyboardEvent) {
    const element = event.target as HTMLElement
    const row = element.closest<HTMLElement>('[role=row]')
    const list = box.current
    if (!row || !list) return
    const page = Math.max(1, inSight - 1)
    const to = { ArrowDown: here + 1, ArrowUp: here - 1, PageDown: here + page, PageUp: here - page, Home: 0, End: rows.length - 1 }[
      event.key
    ]
    if (to !== undefined) {
      const next = Math.max(0, Math.min(rows.length - 1, to))
      current.value = next
      const top = next * height
      if (top < list.scrollTop) list.scrollTop = top
      else if (top + 2 * height > list.scrollTop + view.value.height) list.scrollTop = top + 2 * height - view.value.height
      look()
      requestAnimationFrame(() => list.querySelector<HTMLElement>(`[aria-rowindex="${next + 2}"]`)?.focus())
    } else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      const controls = [...row.querySelectorAll<HTMLElement>('button, input, a')]
      const onward = getComputedStyle(list).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
      ;(controls[controls.indexOf(element) + (event.key === onward ? 1 : -1)] ?? row).focus()
    } else if (event.key === ' ' && element === row && choose) choose(id(rows[here]!))
    else if (event.key === 'Enter' && element === row && open) open(rows[here]!)
    else return
    event.preventDefault()
  }

  const cells = (draw: (column: Column<Row>) => ComponentChildren, role: 'columnheader' | 'gridcell') =>
    columns.map((column) => (
      <span key={column.key} role={role}>
        {draw(column)}
      </span>
    ))
  return (
    <div
      ref={box}
      class="grid"
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      aria-multiselectable={choose ? true : undefined}
      style={template}
      onScroll={look}
    >
      <div class="grid-row grid-head" role="row" aria-rowindex={1}>
        {cells(({ head }) => head, 'columnheader')}
      </div>
      <div class="grid-window" role="rowgroup" style={{ blockSize: `${rows.length * height}px` }} onKeyDown={walk}>
        {rows.slice(first, last).map((row, index) => {
          const at = first + index
          return (
            <div
              key={id(row)}
              class="grid-row"
              role="row"
              aria-rowindex={at + 2}
              aria-selected={chosen?.has(id(row))}
              tabIndex={at === reached ? 0 : -1}
              style={{ insetBlockStart: `${at * height}px`, blockSize: `${height}px` }}
              onFocusCapture={() => {
                current.value = at
              }}
              onDblClick={() => open?.(row)}
            >
              {cells(({ cell }) => cell(row), 'gridcell')}
            </div>
          )
        })}
      </div>
    </div>
  )
}
