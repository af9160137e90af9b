import './set-editor.css'
import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { matches } from '../../../platform/folded.ts'
import { isolated } from '../../../platform/language.ts'
import { EndPick } from '../../show/ends/end-pick.tsx'
import { Skeleton } from '../../show/skeleton.tsx'
import { SearchField } from '../search-field.tsx'
import { useWindow } from '../window.ts'
import { EndOfAll, Head } from './head.tsx'
import { Pasted } from './pasted.tsx'
import type { SetEditorProps } from './props.ts'
import { besides, Row, type RowState } from './row.tsx'
import { changedItems, endIn, ending, joining, leaving, type Staged, sizeOf, splitPasted, takingBack } from './staged.ts'
import { t } from './texts.ts'

/** A set with more items than this can be searched. */
const MANY = 20
const ROW_REM = 3.5
/** How long typing must pause before the list is filtered, in ms. */
const PAUSE_MS = 150

/**
 * A set edited as a whole: a field finds new items, rows show the present ones, and nothing is written before a save. Arrows move between
 * rows, Delete removes one, Insert or a letter moves the focus to the field.
 */
export function SetEditor<Item>(props: SetEditorProps<Item>) {
  const { label, addLabel, id, name, children, search, eager, list, count, isIn, staged, change, fixed, locked, resolve, ends } = props
  const box = useRef<HTMLDivElement>(null)
  const rows = useRef<HTMLDivElement>(null)
  const sought = useSignal('')
  const isNarrowed = useSignal(false)
  const said = useSignal('')
  const pasted = useSignal<readonly string[] | undefined>(undefined)
  const here = useSignal(0)
  /** Removed items that are shown above the others. An item moves there only when neither the focus nor the pointer is in the list. */
  const lifted = useSignal<ReadonlySet<number>>(new Set(staged.remove.map(id)))
  const places = useRef(new Map<number, number>())
  const found = useSignal('')

  const asked = useSignal('')
  const typed = asked.value
  useEffect(() => {
    const timer = setTimeout(() => {
      asked.value = sought.value.trim()
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [sought.value])
  useEffect(() => {
    here.value = 0
  }, [typed])
  const listed = list(typed)
  const [joins, leaves] = [new Set(staged.add.map(id)), new Set(staged.remove.map(id))]
  const changed = changedItems(staged)
  const above = isNarrowed.value
    ? changed
    : [...staged.remove.filter((item) => lifted.value.has(id(item))), ...staged.add].filter((item) => matches(typed, name(item)))
  // Renders again when `places` changes: until the place of an item at the top is known, the item may also appear in its own place.
  void found.value
  const gone = [...places.current]
    .filter(([one, index]) => lifted.value.has(one) && leaves.has(one) && idAt(index) === one)
    .map(([, index]) => index)
    .toSorted((one, other) => one - other)
  function idAt(index: number) {
    const item = listed.rows(index)
    return item === undefined ? undefined : id(item)
  }
  const total = above.length + (isNarrowed.value ? 0 : (listed.total ?? 0) - gone.length)
  const { from, to } = useWindow(rows, total, ROW_REM)
  const current = Math.max(0, Math.min(here.value, total - 1))

  /** The index in the saved list of a row that comes after the rows shown at the top. */
  function placeOf(row: number) {
    let place = row - above.length
    for (const index of gone) if (index <= place) place++
    return place
  }
  function itemAt(row: number) {
    if (row < above.length) return above[row]
    const place = placeOf(row)
    const item = listed.rows(place)
    if (item !== undefined && leaves.has(id(item))) places.current.set(id(item), place)
    return item
  }
  const indexes = Array.from({ length: to - from }, (_, index) => from + index)
  if (total > 0 && (current < from || current >= to)) indexes.push(current)
  const shown = indexes.map((row) => ({ row, item: itemAt(row) }))
  useEffect(() => {
    if (!isNarrowed.value) listed.ask(Math.max(0, from - above.length), Math.max(0, placeOf(to)))
  }, [from, to, above.length, typed, listed.total])
  useLayoutEffect(() => {
    found.value = String([...places.current].filter(([one]) => lifted.value.has(one)))
  })

  const put = (next: Staged<Item>, text: (name: string, count: number) => string, item: Item) => {
    change(next)
    said.value = text(isolated(name(item)), sizeOf(next))
  }
  const changedIds = new Set(changed.map(id))
  const stateOf = (item: Item): RowState =>
    leaves.has(id(item)) ? 'leaves' : joins.has(id(item)) ? 'joins' : changedIds.has(id(item)) ? 'ends' : 'stays'
  const endNow = (item: Item) => (isIn(item) ? (ends?.now(item) ?? null) : null)
  function drop(item: Item) {
    if (!locked && !fixed?.(item)) put(leaving(staged, item, id, endNow(item)), t.removed, item)
  }
  function toggle(item: Item) {
    if (stateOf(item) === 'stays') drop(item)
    else put(takingBack(staged, item, id), t.tookBack, item)
  }
  const endOf = (item: Item) =>
    ends && !locked && !fixed?.(item) && !ends.isFixed?.(item) && stateOf(item) !== 'leaves' ? (
      <EndPick
        tabIndex={-1}
        isQuiet={stateOf(item) === 'stays'}
        label={(end) => t.endOf(isolated(name(item)), end)}
        value={endIn(staged, item, id, endNow(item))}
        change={(to) => put(ending(staged, item, id, endNow(item), to), t.ended, item)}
      />
    ) : undefined
  const lift = () =>
    requestAnimationFrame(() => {
      const list = rows.current
      if (!list || list.matches(':hover') || list.contains(document.activeElement)) return
      lifted.value = new Set(latest.current.remove.map(id))
    })
  const latest = useRef(staged)
  latest.current = staged

  const focusRow = (row: number) => {
    here.value = row
    requestAnimationFrame(() => {
      const element = rows.current?.querySelector<HTMLElement>(`[aria-rowindex="${row + 1}"]`)
      element?.scrollIntoView({ block: 'nearest' })
      element?.focus({ preventScroll: true })
    })
  }
  const field = () => box.current?.querySelector<HTMLInputElement>('[role=combobox]')
  function walk(event: KeyboardEvent) {
    const element = event.target as HTMLElement
    const row = element.closest<HTMLElement>('[role=row]')
    // The popover with the choices of an end handles its keys itself.
    if (element.closest('[popover]')) return
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return
    const page = Math.max(1, Math.floor(innerHeight / row.offsetHeight) - 2)
    const next = {
      ArrowDown: current + 1,
      ArrowUp: current - 1,
      PageDown: current + page,
      PageUp: current - page,
      Home: 0,
      End: total - 1,
    }[event.key]
    const item = itemAt(current)
    if (event.key === 'ArrowUp' && current === 0) field()?.focus()
    else if (next !== undefined) focusRow(Math.max(0, Math.min(total - 1, next)))
    else if (/^Arrow(Left|Right)$/.test(event.key)) besides(row, element, event.key)?.focus()
    else if (event.key === 'Delete' && item !== undefined && stateOf(item) !== 'leaves') (stateOf(item) === 'joins' ? toggle : drop)(item)
    else if (event.key === 'Insert') field()?.focus()
    else if (event.key.length === 1 && event.key !== ' ') {
      // The field gets the focus before the letter is entered, so the letter goes into the field.
      field()?.focus()
      return
    } else return
    event.preventDefault()
  }

  return (
    <div ref={box} class="set">
      {locked ? (
        <p class="quiet set-locked">{locked}</p>
      ) : (
        <Head<Item>
          label={addLabel}
          hint={props.addHint ?? addLabel}
          search={search}
          eager={eager}
          id={id}
          choose={(item) => put(joining(staged, [item], id), t.added, item)}
          off={(item) => (joins.has(id(item)) || (isIn(item) && !leaves.has(id(item))) ? t.inside : undefined)}
          paste={(text) => {
            const lines = resolve && splitPasted(text)
            if (lines) pasted.value = lines
            return !!lines
          }}
          changed={changed.length}
          isNarrowed={isNarrowed.value}
          narrow={() => {
            isNarrowed.value = !isNarrowed.value
          }}
        >
          {children}
        </Head>
      )}
      {ends && staged.add.length > 1 && (
        <EndOfAll
          count={staged.add.length}
          ends={staged.add.map((item) => endIn(staged, item, id, null))}
          change={(to) => change(staged.add.reduce((next: Staged<Item>, item) => ending(next, item, id, null, to), staged))}
        />
      )}
      {pasted.value && resolve && (
        <Pasted
          key={pasted.value.join()}
          texts={pasted.value}
          resolve={resolve}
          id={id}
          isIn={(item) => isIn(item) || joins.has(id(item))}
          add={(items) => {
            const next = joining(latest.current, items, id)
            said.value = t.allAdded(sizeOf(next) - sizeOf(latest.current))
            change(next)
          }}
          close={() => {
            pasted.value = undefined
            field()?.focus()
          }}
        >
          {children}
        </Pasted>
      )}
      {count > MANY && (
        <div class="set-filter">
          <SearchField
            label={t.filter}
            value={sought.value}
            change={(value) => {
              sought.value = value
            }}
          />
        </div>
      )}
      {total > 0 && (
        <div
          ref={rows}
          class="set-rows"
          role="grid"
          aria-label={label}
          aria-rowcount={total}
          style={{ blockSize: `${total * ROW_REM}rem` }}
          onKeyDown={walk}
          onPointerLeave={lift}
          onFocusOut={lift}
        >
          {shown.map(({ row, item }) => (
            <Row
              // Keyed by place, so that a row keeps the focus when its item loads or changes.
              key={row}
              row={row}
              top={`${row * ROW_REM}rem`}
              isReached={row === current}
              reach={() => {
                here.value = row
              }}
              state={item === undefined ? 'stays' : stateOf(item)}
              name={item === undefined ? '' : isolated(name(item))}
              reason={item === undefined ? undefined : fixed?.(item)}
              isLocked={!!locked}
              toggle={() => item !== undefined && toggle(item)}
              end={item === undefined ? undefined : endOf(item)}
            >
              {item === undefined ? undefined : children(item)}
            </Row>
          ))}
        </div>
      )}
      {listed.total === undefined && <Skeleton shape="line" height={1.5} />}
      {total === 0 && listed.total !== undefined && <p class="quiet set-empty">{typed ? t.nothingFound : t.empty}</p>}
      <p class="unseen" role="status">
        {said}
      </p>
    </div>
  )
}
