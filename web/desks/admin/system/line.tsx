interface LineProps {
  /** The values, oldest first; undefined where unknown. */
  values: (number | undefined)[]
}

const WIDTH = 144
const HEIGHT = 28

/** A sparkline of the last day, in reading direction, beside the current number. Unknown values leave gaps. */
export function Line({ values }: LineProps) {
  const most = Math.max(1, ...values.map((value) => value ?? 0))
  let path = ''
  let isDrawn = false
  for (const [index, value] of values.entries()) {
    if (value === undefined) isDrawn = false
    else {
      const x = (index / Math.max(1, values.length - 1)) * WIDTH
      path += `${isDrawn ? 'L' : 'M'}${x.toFixed(1)} ${(HEIGHT - 2 - (value / most) * (HEIGHT - 4)).toFixed(1)}`
      isDrawn = true
    }
  }
  return (
    <svg class="system-line" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}
