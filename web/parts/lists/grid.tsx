import './grid.css'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useWindow } from './window.ts'

export interface Column<Row> {
  key: string
  head: ComponentChildren
  cell: (row: Row) => ComponentChildren
  /** A track of CSS grid, such as `minmax(12rem, 2fr)`. */
  width: string
  /** The least width of the grid, in rem, that shows the column. */
  from?: number
  /** How the column sorts the rows now. */
  sorted?: 'ascending' | 'descending' | 'none'
}

interface GridProps<Row> {
  label: string
  /** The number of rows, including those that are not rendered. */
  count: number
  /** A row, or undefined while it is loading. */
  at: (index: number) => Row | undefined
  columns: Column<Row>[]
  id: (row: Row) => number
  /** The height of a row, in rem. */
  height?: number
  /** Whether a row is chosen; absent if rows cannot be chosen. */
  isChosen?: (row: Row) => boolean
  /**
   * Called with each key. `to` is the row to which the key leads, and the grid always moves there. For any other key, returns true if it
   * has handled the key.
   */
  pressed?: (event: KeyboardEvent, index: number, to: number | undefined) => boolean
  /** Called with the visible rows. */
  show?: (from: number, to: number) => void
  /** The row that Tab reaches first. */
  first?: number
  /** Called with the row that has the focus. */
  entered?: (index: number) => void
  isBusy?: boolean
}

const CONTROLS = 'a, button, input'

/**
 * A table of any length that renders only visible rows and scrolls with the page. Arrows, Page Up and Down, Home and End move between rows,
 * sideways arrows between the controls in a row; Enter follows a row's first link. Tab reaches only one row and its controls.
 */
export function Grid<Row>(props: GridProps<Row>) {
  const { label, count, at, columns: all, id, height = 3.5, isChosen, pressed, show, first, entered, isBusy } = props
  const box = useRef<HTMLDivElement>(null)
  const body = useRef<HTMLDivElement>(null)
  const width = useSignal(0)
  const current = useSignal(first ?? 0)
  /**
   * Whether the focus is inside, which is assumed at the start if `first` is given. The focused row stays rendered wherever the page
   * scrolls.
   */
  const isInside = useSignal(first !== undefined)
  const wanted = useRef<number | undefined>(undefined)
  const { from, to } = useWindow(body, count, height)
  useLayoutEffect(() => {
    const watch = new ResizeObserver(() => {
      width.value = box.current!.clientWidth / Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
    })
    watch.observe(box.current!)
    return () => watch.disconnect()
  }, [])
  useLayoutEffect(() => show?.(from, to), [from, to, show])

  const here = Math.max(0, Math.min(current.value, count - 1))
  const reached = isInside.value ? here : Math.max(from, Math.min(here, to - 1))
  const drawn = Array.from({ length: to - from }, (_, index) => from + index)
  // Keeps the order of the rows, because an element that is moved loses the focus.
  if (isInside.value && here < from) drawn.unshift(here)
  if (isInside.value && here >= to) drawn.push(here)
  const columns = all.filter(({ from = 0 }) => width.value === 0 || width.value >= from)

  const rowOf = (index: number) => body.current?.querySelector<HTMLElement>(`[aria-rowindex="${index + 2}"]`)
  useLayoutEffect(() => {
    const row = wanted.current === undefined ? undefined : rowOf(wanted.current)
    if (row) {
      // The placeholder of a row that is still loading will be replaced, and lose the focus. `wanted` stays set until then, so that the
      // loaded row gets the focus.
      if (at(wanted.current!) !== undefined) wanted.current = undefined
      row.focus({ preventScroll: true })
      row.scrollIntoView({ block: 'nearest' })
    }
    for (const control of body.current?.querySelectorAll<HTMLElement>(CONTROLS) ?? [])
      control.tabIndex = control.closest('[role=row]') === rowOf(reached) ? 0 : -1
  })
  function goTo(index: number) {
    wanted.current = index
    current.value = index
  }

  function walk(event: KeyboardEvent) {
    const element = event.target as HTMLElement
    const row = element.closest<HTMLElement>('[role=row]')
    // Fields handle keys themselves, except checkboxes.
    if (!row || element.matches('input:not([type=checkbox]), textarea, select, [role^=menuitem]') || event.defaultPrevented) return
    const page = Math.max(1, Math.floor((to - from) / 2))
    // Uses the latest current row, because a held key repeats faster than the page renders.
    const here = Math.max(0, Math.min(current.peek(), count - 1))
    const steps: Record<string, number> = { ArrowDown: here + 1, ArrowUp: here - 1, PageDown: here + page, PageUp: here - page }
    const ends: Record<string, number> = event.ctrlKey || element === row ? { Home: 0, End: count - 1 } : {}
    const step = steps[event.key] ?? ends[event.key]
    const next = step === undefined ? undefined : Math.max(0, Math.min(count - 1, step))
    const isDone = pressed?.(event, here, next)
    if (next !== undefined) goTo(next)
    else if (isDone) return event.preventDefault()
    else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      const controls = [...row.querySelectorAll<HTMLElement>(CONTROLS)]
      const onward = getComputedStyle(row).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
      ;(controls[controls.indexOf(element) + (event.key === onward ? 1 : -1)] ?? row).focus()
    } else if (event.key === 'Enter' && element === row) {
      const link = row.querySelector('a')
      // Focus the link, so that going back returns to it.
      link?.focus()
      link?.click()
    } else return
    event.preventDefault()
  }

  const cells = (draw: (column: Column<Row>) => ComponentChildren) =>
    columns.map((column) => (
      <span key={column.key} role="gridcell">
        {draw(column)}
      </span>
    ))
  return (
    <div
      ref={box}
      class="grid"
      role="grid"
      aria-label={label}
      aria-rowcount={count + 1}
      aria-multiselectable={isChosen ? true : undefined}
      aria-busy={isBusy || undefined}
      style={{ '--columns': columns.map(({ width }) => width).join(' '), '--row': `${height}rem` }}
      onFocusCapture={() => {
        isInside.value = true
      }}
      onFocusOut={({ relatedTarget, currentTarget }) => {
        isInside.value = currentTarget.contains(relatedTarget as Node | null)
        if (relatedTarget && !isInside.value) wanted.current = undefined
      }}
    >
      <div class="grid-row grid-head" role="row" aria-rowindex={1}>
        {columns.map(({ key, head, sorted }) => (
          <span key={key} role="columnheader" aria-sort={sorted}>
            {head}
          </span>
        ))}
      </div>
      <div ref={body} class="grid-window" role="rowgroup" style={{ blockSize: `${count * height}rem` }} onKeyDown={walk}>
        {drawn.map((index) => {
          const row = at(index)
          return (
            <div
              key={row === undefined ? `at ${index}` : id(row)}
              class="grid-row"
              role="row"
              aria-rowindex={index + 2}
              aria-selected={row === undefined ? undefined : isChosen?.(row)}
              aria-busy={row === undefined || undefined}
              tabIndex={index === reached ? 0 : -1}
              style={{ insetBlockStart: `${index * height}rem` }}
              onFocusCapture={() => {
                current.value = index
                entered?.(index)
              }}
            >
              {cells(({ cell }) => (row === undefined ? <span class="grid-shape" /> : cell(row)))}
            </div>
          )
        })}
      </div>
    </div>
  )
}
