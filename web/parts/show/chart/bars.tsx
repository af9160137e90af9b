import './chart.css'
import type { ComponentChildren } from 'preact'
import { formatNumber } from '../../../platform/language.ts'

interface BarsProps<Row> {
  label: string
  rows: readonly Row[]
  id: (row: Row) => number | string
  value: (row: Row) => number
  /** The label of a row, such as a picture with a name. */
  children: (row: Row) => ComponentChildren
  /** Called when a row is pressed. */
  open?: (row: Row) => void
}

/** Values as horizontal bars; the greatest fills the width. The bars are a list with numbers, so they need no table beside them. */
export function Bars<Row>({ label, rows, id, value, children, open }: BarsProps<Row>) {
  const most = Math.max(1, ...rows.map(value))
  return (
    <ol class="bars" aria-label={label}>
      {rows.map((row) => {
        const inside = (
          <>
            <span class="bars-name">{children(row)}</span>
            <svg class="bars-bar" aria-hidden="true" preserveAspectRatio="none" viewBox="0 0 100 1">
              <rect width={(100 * value(row)) / most} height="1" />
            </svg>
            <span class="quiet numbers">{formatNumber(value(row))}</span>
          </>
        )
        return (
          <li key={id(row)}>
            {open ? (
              <button type="button" aria-haspopup="dialog" onClick={() => open(row)}>
                {inside}
              </button>
            ) : (
              <div>{inside}</div>
            )}
          </li>
        )
      })}
    </ol>
  )
}
