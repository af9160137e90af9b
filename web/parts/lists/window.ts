import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useLayoutEffect } from 'preact/hooks'

const SPARE = 8

/**
 * Computes which of `count` rows, all of the same height in rem, are near the window, for a list that scrolls with the page or a box in it.
 * The caller must make the list as high as all rows together and position the visible rows inside.
 */
export function useWindow(list: RefObject<HTMLElement | null>, count: number, rem: number) {
  const view = useSignal({ from: 0, to: 20 })
  useLayoutEffect(() => {
    const look = () => {
      const { top = 0 } = list.current?.getBoundingClientRect() ?? {}
      const height = rem * Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
      const from = Math.floor(-top / height) - SPARE
      const to = Math.ceil((innerHeight - top) / height) + SPARE
      const { from: drawn, to: until } = view.peek()
      if (Math.abs(from - drawn) > SPARE / 2 || Math.abs(to - until) > SPARE / 2) view.value = { from, to }
    }
    look()
    const watch = new ResizeObserver(look)
    watch.observe(document.documentElement)
    // Capturing, because the page or a box around the list may scroll.
    addEventListener('scroll', look, { passive: true, capture: true })
    return () => {
      watch.disconnect()
      removeEventListener('scroll', look, { capture: true })
    }
  }, [rem])
  const from = Math.max(0, Math.min(view.value.from, count - 1))
  return { from, to: Math.max(from, Math.min(view.value.to, count)) }
}
