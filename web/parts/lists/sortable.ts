import { useRef } from 'preact/hooks'
import type { openSorting, Sorting } from './sorting.ts'

const MOVING = /^( |Arrow.*)$/

/** Makes the children of a grid sortable by mouse, touch, or Space and the arrow keys. */
export function useSortable<Item>(sorting: Sorting<Item>) {
  const now = useRef(sorting)
  now.current = sorting
  const list = useRef<HTMLUListElement>(null)
  const loading = useRef<Promise<ReturnType<typeof openSorting<Item>> | undefined> | undefined>(undefined)
  // If loading fails, the next press tries again.
  const load = () =>
    (loading.current ??= import('./sorting.ts').then(
      ({ openSorting }) => openSorting(now, list),
      () => (loading.current = undefined),
    ))
  function pressed(event: KeyboardEvent, id: number) {
    if (MOVING.test(event.key)) event.preventDefault()
    load().then((sort) => list.current && sort?.pressed(event, id))
  }
  function grabbed(event: PointerEvent, id: number) {
    if (event.button) return
    const tile = event.currentTarget as HTMLElement
    // Pointer events before the chunk is loaded are passed to it afterwards.
    const early: Event[] = []
    const loaded = new AbortController()
    for (const name of ['pointermove', 'pointerup', 'pointercancel'])
      addEventListener(name, (one) => void early.push(one), { capture: true, signal: loaded.signal })
    load().then((sort) => {
      loaded.abort()
      // The page with the list may be gone by now.
      if (!list.current) return
      sort?.grabbed(event, id, tile)
      for (const one of early) tile.dispatchEvent(one)
    })
  }
  return { list, pressed, grabbed }
}
