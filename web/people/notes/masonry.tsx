import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** The height of a grid row in px. The heights of cards are rounded up to a multiple of it. */
const ROW_PX = 4

/** Cards of any height in columns, in reading order. Each spans as many grid rows as it needs. */
export function Masonry({ label, children }: { label: string; children: ComponentChildren }) {
  const list = useRef<HTMLUListElement>(null)
  function measure() {
    const cards = [...list.current!.children] as HTMLElement[]
    const heights = cards.map((card) => (card.firstElementChild as HTMLElement).offsetHeight)
    const gap = Number.parseFloat(getComputedStyle(list.current!).columnGap)
    for (const [index, card] of cards.entries()) card.style.gridRowEnd = `span ${Math.ceil((heights[index]! + gap) / ROW_PX)}`
  }
  useLayoutEffect(measure)
  useLayoutEffect(() => {
    const watch = new ResizeObserver(measure)
    watch.observe(list.current!)
    document.fonts.addEventListener('loadingdone', measure)
    return () => {
      watch.disconnect()
      document.fonts.removeEventListener('loadingdone', measure)
    }
  }, [])
  return (
    <ul ref={list} class="notes-masonry" aria-label={label}>
      {children}
    </ul>
  )
}
