import type { RefObject } from 'preact'

export interface Sorting<Item> {
  items: Item[]
  id: (item: Item) => number
  change: (items: Item[]) => void
  drop: (items: Item[]) => void
  /** Called when a move is cancelled, after the child is back in its place. */
  cancel: () => void
  /** Called with the topmost element under the pointer that is not part of the list; undefined once the child is dropped. */
  over?: (element: Element | undefined) => void
  /**
   * Called with such an element when a child is dropped. If it returns true, the element takes the child, which returns to its place in the
   * list.
   */
  dropOn?: (item: Item, element: Element) => boolean
  said: {
    lifted: (item: Item, at: number) => void
    moved: (item: Item, at: number) => void
    dropped: (item: Item, at: number) => void
    cancelled: (item: Item) => void
  }
}

const moved = <Item>(items: Item[], from: number, to: number) => items.toSpliced(from, 1).toSpliced(to, 0, items[from]!)

/** Moves the children of a grid. This is a separate chunk, because few people move anything. */
export function openSorting<Item>(now: RefObject<Sorting<Item>>, list: RefObject<HTMLUListElement | null>) {
  const lifted: { current: { id: number; before: Item[] } | undefined } = { current: undefined }

  const at = (id: number) => now.current!.items.findIndex((item) => now.current!.id(item) === id)
  const places = () => [...(list.current?.children ?? [])] as HTMLElement[]

  /** Shows the new order, and animates displaced children other than `except` to their new places. */
  function put(items: Item[], except?: HTMLElement) {
    const before = new Map(places().map((place) => [place, place.getBoundingClientRect()]))
    now.current!.change(items)
    // The next press may come before the page has rendered.
    now.current = { ...now.current!, items }
    requestAnimationFrame(() => {
      for (const [place, was] of before) {
        const is = place.getBoundingClientRect()
        if (place !== except && (was.x !== is.x || was.y !== is.y))
          place.animate([{ translate: `${was.x - is.x}px ${was.y - is.y}px` }, { translate: '0 0' }], { duration: 180, easing: 'ease-out' })
      }
    })
  }

  function pressed(event: KeyboardEvent, id: number) {
    const { items, said } = now.current
    const from = at(id)
    if (event.key === ' ') {
      if (lifted.current) {
        lifted.current = undefined
        now.current!.drop(items)
        said.dropped(items[from]!, from)
      } else {
        lifted.current = { id, before: items }
        said.lifted(items[from]!, from)
      }
    } else if (event.key === 'Escape' && lifted.current) {
      put(lifted.current.before)
      now.current!.cancel()
      lifted.current = undefined
      said.cancelled(items[from]!)
    } else if (event.key.startsWith('Arrow')) {
      const columns = getComputedStyle(list.current!).gridTemplateColumns.split(' ').length
      const onward = getComputedStyle(list.current!).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
      const step = event.key === 'ArrowDown' ? columns : event.key === 'ArrowUp' ? -columns : event.key === onward ? 1 : -1
      const to = from + step
      if (to < 0 || to >= items.length) return
      if (!lifted.current) return (places()[to]!.firstElementChild as HTMLElement).focus()
      put(moved(items, from, to))
      said.moved(items[from]!, to)
    }
  }

  function grabbed(event: PointerEvent, id: number, tile: HTMLElement) {
    const place = tile.parentElement!
    const start = { x: event.clientX, y: event.clientY, home: place.getBoundingClientRect() }
    const before = now.current!.items
    // Measured while no child is animated.
    const slots = places().map((one) => one.getBoundingClientRect())
    const scrolled = { x: scrollX, y: scrollY }
    let dragging = false
    let captured = false
    /** The topmost element under the pointer that is not part of the list. */
    const under = ({ clientX, clientY }: PointerEvent) =>
      document.elementsFromPoint(clientX, clientY).find((one) => !list.current?.contains(one))
    const move = (to: PointerEvent) => {
      if (to.pointerId !== event.pointerId) return
      if (!dragging) {
        if (Math.hypot(to.clientX - start.x, to.clientY - start.y) < 6) return
        dragging = true
        tile.dataset.lifted = ''
      }
      // A replayed event from before the chunk was loaded cannot capture the pointer.
      if (to.isTrusted && !captured) {
        captured = true
        tile.setPointerCapture(to.pointerId)
      }
      const centre = {
        x: start.home.x + start.home.width / 2 + to.clientX - start.x,
        y: start.home.y + start.home.height / 2 + to.clientY - start.y,
      }
      const at0 = { x: centre.x + scrollX - scrolled.x, y: centre.y + scrollY - scrolled.y }
      const over = slots.findIndex(({ left, right, top, bottom }) => at0.x > left && at0.x < right && at0.y > top && at0.y < bottom)
      if (over >= 0 && over !== at(id)) put(moved(now.current!.items, at(id), over), place)
      now.current!.over?.(under(to))
      requestAnimationFrame(() => {
        const box = place.getBoundingClientRect()
        tile.style.translate = `${centre.x - box.x - box.width / 2}px ${centre.y - box.y - box.height / 2}px`
      })
    }
    const end = (up: PointerEvent) => {
      if (up.pointerId !== event.pointerId) return
      removeEventListener('pointermove', move)
      removeEventListener('pointerup', end)
      removeEventListener('pointercancel', end)
      if (!dragging) return
      const stop = (click: Event) => click.preventDefault()
      tile.addEventListener('click', stop)
      // The browser sends the click of this release before the timer fires. A replayed release causes no click, so the timer removes the
      // listener.
      setTimeout(() => tile.removeEventListener('click', stop))
      setTimeout(() =>
        requestAnimationFrame(() => {
          tile.style.translate = ''
          delete tile.dataset.lifted
        }),
      )
      const beneath = under(up)
      now.current!.over?.(undefined)
      if (up.type === 'pointercancel' || (beneath && now.current!.dropOn?.(now.current!.items[at(id)]!, beneath))) {
        put(before)
        now.current!.cancel()
      } else {
        now.current!.drop(now.current!.items)
        now.current!.said.dropped(now.current!.items[at(id)]!, at(id))
      }
    }
    // Without capture, the pointer may be released outside the tile.
    addEventListener('pointermove', move)
    addEventListener('pointerup', end)
    addEventListener('pointercancel', end)
  }

  return { pressed, grabbed }
}
