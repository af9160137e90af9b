/** Swipes on the day: sideways for the previous or next day, down from the top for today. */
import { useEffect, useRef } from 'preact/hooks'

interface Ways {
  before: () => void
  after: () => void
  today: () => void
}

const FAR = 70
/** Elements that use touch gestures themselves. */
const OWN = 'dialog, .tabs, .ordered-grip, input, textarea'

export function useHands(ways: Ways) {
  const latest = useRef(ways)
  latest.current = ways
  useEffect(() => {
    let from: { x: number; y: number; isTop: boolean } | undefined
    const began = ({ touches, target }: TouchEvent) => {
      const [touch] = touches
      const isOther = touches.length > 1 || (target as Element).closest(OWN)
      from = !touch || isOther ? undefined : { x: touch.clientX, y: touch.clientY, isTop: scrollY <= 0 }
    }
    const ended = ({ changedTouches: [touch] }: TouchEvent) => {
      if (!from || !touch) return
      const [x, y] = [touch.clientX - from.x, touch.clientY - from.y]
      const { isTop } = from
      from = undefined
      if (document.querySelector('dialog[open], :popover-open')) return
      if (Math.abs(x) > FAR && Math.abs(y) < FAR / 2) {
        const isOnward = x < 0 === (document.documentElement.dir === 'ltr')
        latest.current[isOnward ? 'after' : 'before']()
      } else if (isTop && y > 2 * FAR && Math.abs(x) < FAR / 2) latest.current.today()
    }
    const options = { passive: true } as const
    addEventListener('touchstart', began, options)
    addEventListener('touchend', ended, options)
    return () => {
      removeEventListener('touchstart', began)
      removeEventListener('touchend', ended)
    }
  }, [])
}
