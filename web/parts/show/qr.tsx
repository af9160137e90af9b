import './qr.css'
import { encode } from 'uqr'

/** The quiet zone that scanners need around a code, in modules. */
const EDGE = 4

/** The path of an SVG that draws the runs of dark modules, row by row. */
function pathOf(rows: readonly (readonly boolean[])[]) {
  const parts: string[] = []
  for (const [y, row] of rows.entries())
    for (let x = 0; x < row.length; ) {
      if (!row[x]) {
        x++
        continue
      }
      const from = x
      while (row[x]) x++
      parts.push(`M${from + EDGE} ${y + EDGE}h${x - from}v1h${from - x}z`)
    }
  return parts.join('')
}

/** A QR code, always dark on light: not every scanner reads the reverse. */
export function Qr({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { border: 0, ecc: 'M' })
  const side = size + 2 * EDGE
  return (
    <svg class="qr" role="img" aria-label={label} viewBox={`0 0 ${side} ${side}`} shape-rendering="crispEdges">
      <path class="qr-ground" d={`M0 0h${side}v${side}H0z`} />
      <path class="qr-dark" d={pathOf(data)} />
    </svg>
  )
}
