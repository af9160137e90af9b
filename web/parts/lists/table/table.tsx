import './table.css'
import type { ComponentChildren, VNode } from 'preact'
import { useRef } from 'preact/hooks'
import { onPortalClock } from '../../../platform/ago.ts'
import { timeOfDay } from '../../../platform/dates.ts'
import { formatNumber } from '../../../platform/language.ts'
import type { List } from '../../../platform/list.ts'
import { Button } from '../../show/button.tsx'
import { Failed } from '../../show/failed.tsx'
import { Icon } from '../../show/icon.tsx'
import { Skeleton } from '../../show/skeleton.tsx'
import { type Column, Grid } from '../grid.tsx'
import type { Choice } from './choice.ts'
import { t } from './texts.ts'

export interface TableColumn<Row> extends Omit<Column<Row>, 'head' | 'sorted'> {
  head: string
  /** Whether the heading is only for screen readers. */
  isUnnamed?: boolean
  /** The direction in which a first press on the heading sorts; absent if the list cannot be sorted by this column. */
  sort?: 'ascending' | 'descending'
}

/** The order of the rows: the key of a column, with a leading `-` for descending. */
export type Sorting = string

interface TableProps<Row> {
  label: string
  list: List<Row>
  columns: TableColumn<Row>[]
  id: (row: Row) => number
  /** The name of a row, for its checkbox. */
  name: (row: Row) => string
  height?: number
  choice?: Choice<Row>
  sorting?: Sorting
  sort?: (by: Sorting) => void
  /** Keys of the page that act on the current row, by `event.code`. */
  keys?: Partial<Record<string, (row: Row) => void>>
  /** The title of the error if the list cannot be loaded. */
  failed: string
  /** Shown if the list is empty. */
  children: VNode
}

const LONG_MS = 500
/** In a list that is at least this wide, in rem, each row has a checkbox. */
const WIDE = 40
/** The index of the last focused row of each list, by label and address: Tab reaches it first when the person returns. */
const left = new Map<string, number>()
const here = () => `${location.pathname}${location.search}`

/**
 * On a touch screen, a long press toggles a row. While rows are chosen, a short press on the link of a row toggles the row instead of
 * opening it.
 */
function useTouch(isChoosing: boolean, toggle: (index: number) => void) {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const isTouch = useRef(false)
  const isLong = useRef(false)
  const rowOf = (event: Event) => (event.target as Element).closest('[aria-rowindex]:not(.grid-head)')
  const indexOf = (event: Event) => Number(rowOf(event)?.getAttribute('aria-rowindex')) - 2
  const end = () => clearTimeout(timer.current)
  return {
    onPointerDown(event: PointerEvent) {
      isTouch.current = event.pointerType === 'touch'
      isLong.current = false
      end()
      if (!isTouch.current || !rowOf(event)) return
      const index = indexOf(event)
      timer.current = setTimeout(() => {
        isLong.current = true
        toggle(index)
      }, LONG_MS)
    },
    onPointerMove: (event: PointerEvent) => (event.movementX || event.movementY) && end(),
    onPointerUp: end,
    onPointerCancel: end,
    onContextMenu: (event: Event) => isTouch.current && rowOf(event) && event.preventDefault(),
    onClickCapture(event: Event) {
      if (!isTouch.current || !(isLong.current || (isChoosing && (event.target as Element).closest('a')))) return
      event.preventDefault()
      event.stopPropagation()
      if (!isLong.current) toggle(indexOf(event))
      isLong.current = false
    },
  }
}

function Head<Row>({ column, sorting, sort }: { column: TableColumn<Row>; sorting: Sorting; sort: (by: Sorting) => void }) {
  const isBy = sorting.replace('-', '') === column.key
  const isDown = sorting.startsWith('-')
  const first = column.sort === 'descending' ? `-${column.key}` : column.key
  const other = isDown ? column.key : `-${column.key}`
  return (
    <button type="button" class="table-sort" data-by={isBy || undefined} onClick={() => sort(isBy ? other : first)}>
      {column.head}
      <Icon name="chevron-down" size={14} />
    </button>
  )
}

/** The printout of a list with more rows than this has a note that only the rows on the screen are printed. */
const FEW = 10

/**
 * A list in columns, sorted by the portal. Arrows or J and K move between rows. A checkbox, Space or X chooses a row, with Shift a range.
 * The link in the first cell opens a row, by Enter or by a press anywhere on the row.
 */
export function Table<Row>(props: TableProps<Row>) {
  const { label, list, columns, id, name, height, choice, sorting = '', sort, keys = {}, failed, children } = props
  const grid = useRef<HTMLDivElement>(null)
  const now = useRef({ choice, list, keys })
  now.current = { choice, list, keys }
  const last = useRef(left.get(label + here()))
  const touch = useTouch(!!choice?.count, (index) => now.current.choice?.toggle(index))

  /** Handles a key on a row. Returns whether it did something. */
  function act(event: KeyboardEvent, index: number, to: number | undefined) {
    const { choice, list, keys } = now.current
    const row = list.at(index)
    const key = keys[event.code]
    const isPlain = !(event.ctrlKey || event.metaKey || event.altKey)
    if (choice && event.shiftKey && to !== undefined && row) {
      if (!choice.has(row)) choice.toggle(index)
      choice.extend(to)
    } else if (choice && (event.ctrlKey || event.metaKey) && event.code === 'KeyA') {
      if (choice.count >= list.length && !choice.isAll) choice.chooseAll()
      else choice.chooseRead()
    } else if (choice && isPlain && (event.code === 'KeyX' || (event.key === ' ' && (event.target as Element).matches('[role=row]'))))
      choice.toggle(index)
    else if (choice?.count && event.key === 'Escape') choice.clear()
    else if (key && row && isPlain) key(row)
    else return false
    return true
  }

  const ticks: Column<Row>[] = choice
    ? [
        {
          key: 'choose',
          head: <span class="unseen">{t.choice}</span>,
          width: '2.75rem',
          // A narrow list shows checkboxes only once a long press has chosen a row.
          from: choice.count > 0 ? 0 : WIDE,
          cell: (row) => (
            <input
              type="checkbox"
              class="table-tick"
              aria-label={t.choose(name(row))}
              checked={choice.has(row)}
              onClick={(event) => {
                const index = Number(event.currentTarget.closest('[role=row]')?.getAttribute('aria-rowindex')) - 2
                if (event.shiftKey) choice.extend(index)
                else choice.toggle(index)
              }}
            />
          ),
        },
      ]
    : []
  const shown = columns.map((column) => ({
    ...column,
    head: column.isUnnamed ? (
      <span class="unseen">{column.head}</span>
    ) : column.sort && sort ? (
      <Head column={column} sorting={sorting} sort={sort} />
    ) : (
      column.head
    ),
    sorted: !column.sort
      ? undefined
      : sorting.replace('-', '') !== column.key
        ? ('none' as const)
        : sorting.startsWith('-')
          ? ('descending' as const)
          : ('ascending' as const),
  }))
  const { error, asOf } = list
  if (error && list.length === 0) return <Failed title={failed} failure={error} retry={list.refresh} />
  if (list.length === 0) return list.isKnown ? children : <Skeleton count={8} height={height ?? 3.5} shape="line" />
  return (
    <div ref={grid} class="table" data-choosing={choice?.count ? '' : undefined} {...touch}>
      {(asOf !== undefined || error) && (
        <p class="table-late small" role="status">
          {asOf === undefined ? failed : t.asOf(timeOfDay(onPortalClock(asOf)))}
          <Button kind="plain" icon="refresh-cw" onClick={list.refresh}>
            {t.retry}
          </Button>
        </p>
      )}
      {list.length > FEW && <p class="table-printed small">{t.printed(formatNumber(list.length))}</p>}
      <Grid
        label={label}
        count={list.length}
        at={list.at}
        columns={[...ticks, ...shown]}
        id={id}
        height={height}
        isChosen={choice?.has}
        pressed={act}
        show={list.show}
        first={last.current}
        entered={(index) => left.set(label + here(), index)}
        isBusy={list.isFormer}
      />
    </div>
  )
}

interface ChosenProps<Row> {
  choice: Choice<Row>
  list: List<Row>
  /** A sentence about the effect of the actions. */
  hint?: ComponentChildren
  children: ComponentChildren
}

/** The actions for the chosen rows, at the bottom of the page while there are any. */
export function Chosen<Row>({ choice, list, hint, children }: ChosenProps<Row>) {
  const isMore = !choice.isAll && choice.count >= Math.min(list.length, 2) && list.total !== undefined && choice.count < list.total
  return (
    <div class="chosen" hidden={choice.count === 0}>
      <p role="status">
        {choice.count > 0 && (
          <>
            <strong>{t.chosen(choice.count)}</strong>
            {hint && '. '}
            {hint}
          </>
        )}
      </p>
      <div class="chosen-acts">
        {isMore && (
          <Button kind="plain" onClick={choice.chooseAll}>
            {t.chooseAll(formatNumber(list.total!))}
          </Button>
        )}
        {children}
        <Button kind="plain" icon="x" aria-label={t.clear} onClick={choice.clear} />
      </div>
    </div>
  )
}

/** Dispatches a key to the row that Tab reaches. If the focus is elsewhere, it moves to the row, and an arrow does no more. */
function press(key: string, code = key) {
  const row = document.querySelector<HTMLElement>('.table [role=row][tabindex="0"]')
  if (!row) return
  const isInside = row.contains(document.activeElement)
  if (!isInside) row.focus()
  if (isInside || code === 'KeyX') row.dispatchEvent(new KeyboardEvent('keydown', { key, code, bubbles: true, cancelable: true }))
}
/** The shortcuts J, K and X for a page with a table. They act on the table wherever the focus is. */
export const tableKeys = [
  { codes: ['KeyJ'], text: () => t.keys.next, run: () => press('ArrowDown') },
  { codes: ['KeyK'], text: () => t.keys.former, run: () => press('ArrowUp') },
  { codes: ['KeyX'], text: () => t.keys.choose, run: () => press('x', 'KeyX') },
]
