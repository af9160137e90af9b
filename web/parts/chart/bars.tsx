import './chart.css'
import type { ComponentChildren } from 'preact'
import { formatNumber } from '../../platform/language.ts'

interface BarsProps<Row> {
  label: string
  rows: readonly Row[]
  id: (row: Row) => number | string
  value: (row: Row) => number
  /** What the row is: a tile or face with a name. */
  children: (row: Row) => ComponentChildren
  /** What a press on a row opens. */
  open?: (row: Row) => void
}

/** Values beside one another, the longest bar the greatest. The numbers stand beside them: they are a list, and need no table. */
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
