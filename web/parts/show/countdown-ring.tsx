import { useLayoutEffect, useRef } from 'preact/hooks'

/** A ring that empties until `until`, in ms since 1970. `length` is the duration of the whole ring in ms. */
export function CountdownRing({ until, length = 15_000 }: { until: number; length?: number }) {
  const circle = useRef<SVGCircleElement>(null)
  useLayoutEffect(() => {
    const left = Math.max(0, until - Date.now())
    const running = circle.current?.animate(
      [{ strokeDashoffset: 100 - (100 * Math.min(left, length)) / length }, { strokeDashoffset: 100 }],
      {
        duration: left,
        fill: 'forwards',
      },
    )
    return () => running?.cancel()
  }, [until, length])
  return (
    <svg class="ring" viewBox="0 0 36 36" aria-hidden="true">
      <circle class="ring-track" cx="18" cy="18" r="15.9" />
      <circle ref={circle} cx="18" cy="18" r="15.9" pathLength={100} />
    </svg>
  )
}
