import { useEffect, useRef } from 'preact/hooks'
import type { openSorting } from './sorting.ts'

export interface Sorting<Item> {
  items: Item[]
  id: (item: Item) => number
  change: (items: Item[]) => void
  drop: (items: Item[]) => void
  /** What was moved is back. */
  cancel: () => void
  said: {
    lifted: (item: Item, at: number) => void
    moved: (item: Item, at: number) => void
    dropped: (item: Item, at: number) => void
    cancelled: (item: Item) => void
  }
}

const MOVING = new Set([' ', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'])
const PREPARE_MS = 500

/** Lets the children of a grid be put in another order, with a mouse, a finger, or Space and the arrow keys. */
export function useSortable<Item>(sorting: Sorting<Item>) {
  const now = useRef(sorting)
  now.current = sorting
  const list = useRef<HTMLUListElement>(null)
  const loading = useRef<Promise<ReturnType<typeof openSorting<Item>>> | undefined>(undefined)
  const load = () => {
    loading.current ??= import('./sorting.ts').then(({ openSorting }) => openSorting(now, list))
    // Asked for again at the next press.
    loading.current.catch(() => {
      loading.current = undefined
    })
    return loading.current
  }
  useEffect(() => {
    const timer = setTimeout(load, PREPARE_MS)
    return () => clearTimeout(timer)
  }, [])

  function pressed(event: KeyboardEvent, id: number) {
    if (MOVING.has(event.key)) event.preventDefault()
    load().then(
      (sort) => sort.pressed(event, id),
      () => {},
    )
  }
  function grabbed(event: PointerEvent, id: number) {
    if (event.button) return
    const tile = event.currentTarget as HTMLElement
    load().then(
      (sort) => sort.grabbed(event, id, tile),
      () => {},
    )
  }
  return { list, pressed, grabbed }
}
