import './ordered.css'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { Icon } from '../../show/icon.tsx'
import { useSortable } from '../sortable.ts'
import { t } from './texts.ts'

interface OrderedProps<Item extends { id: number }> {
  label: string
  items: Item[]
  nameOf: (item: Item) => string
  /** Saves the new order. `former` is the order before, for undoing. */
  save: (order: Item[], former: Item[]) => void
  /** Whether nothing can be moved now, such as in search results. */
  isFixed?: boolean
  class?: string
  /**
   * Called with the topmost element under the pointer that is not part of the list. `dropOn` returns whether that element takes the item.
   */
  over?: (element: Element | undefined) => void
  dropOn?: (item: Item, element: Element) => boolean
  children: (item: Item) => ComponentChildren
}

/** Whether an event comes from this row, and not from a row of a list inside it. */
const isOwn = ({ target, currentTarget }: Event) => (target as Element).closest('.ordered-row') === currentTarget

/**
 * A list in an order that people choose: by its grips with mouse or touch, with Space and the arrows on a grip, or with Alt and the arrows
 * anywhere in a row. A drop saves the order.
 */
export function Ordered<Item extends { id: number }>({
  label,
  items,
  nameOf,
  save,
  isFixed,
  class: name,
  over,
  dropOn,
  children,
}: OrderedProps<Item>) {
  const id = useId()
  const spoken = useSignal('')
  // While an item is lifted, changes by other people wait.
  const held = useSignal<Item[] | undefined>(undefined)
  const shown = held.value ?? items
  const settle = (order: Item[]) => {
    held.value = undefined
    if (order.some((one, index) => one.id !== items[index]?.id)) save(order, items)
  }
  const say = (text: string) => {
    spoken.value = text
  }
  const { list, pressed, grabbed } = useSortable({
    items: shown,
    id: (item) => item.id,
    change: (order) => {
      held.value = order
    },
    drop: settle,
    cancel: () => {
      held.value = undefined
    },
    ...(over && { over }),
    ...(dropOn && { dropOn }),
    said: {
      lifted: (item, index) => say(t.lifted(nameOf(item), index + 1, items.length)),
      moved: (item, index) => say(t.moved(nameOf(item), index + 1, items.length)),
      dropped: (item, index) => say(t.dropped(nameOf(item), index + 1)),
      cancelled: (item) => say(t.notMoved(nameOf(item))),
    },
  })
  function step(event: KeyboardEvent, item: Item) {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (!by || !event.altKey || isFixed || !isOwn(event)) return
    event.preventDefault()
    event.stopPropagation()
    const from = items.indexOf(item)
    const to = from + by
    if (from < 0 || to < 0 || to >= items.length) return
    const focused = event.target as HTMLElement
    settle(items.toSpliced(from, 1).toSpliced(to, 0, item))
    say(t.moved(nameOf(item), to + 1, items.length))
    // An element that is moved in the document loses the focus.
    requestAnimationFrame(() => focused.isConnected && focused.focus())
  }
  return (
    <>
      <ul ref={list} class={`ordered ${name ?? ''}`} aria-label={label}>
        {shown.map((item) => (
          <li key={item.id}>
            <div
              class="ordered-row"
              onKeyDownCapture={(event) => step(event, item)}
              onPointerDown={(event) => isOwn(event) && (event.target as Element).closest('.ordered-grip') && grabbed(event, item.id)}
            >
              {!isFixed && items.length > 1 && (
                <button
                  type="button"
                  class="button ordered-grip"
                  data-kind="plain"
                  data-shape="round"
                  aria-label={t.move(nameOf(item))}
                  aria-describedby={`${id}-help`}
                  onKeyDown={(event) => pressed(event, item.id)}
                >
                  <Icon name="grip-vertical" size={18} />
                </button>
              )}
              {children(item)}
            </div>
          </li>
        ))}
      </ul>
      <p id={`${id}-help`} hidden>
        {t.moveHelp}
      </p>
      <p class="unseen" role="status">
        {spoken}
      </p>
    </>
  )
}
