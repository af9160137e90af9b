import { useId } from 'preact/hooks'
import { today } from '../../platform/dates.ts'
import { Segments } from '../segments.tsx'
import { DateField } from './date-field.tsx'
import { between, plus } from './days.ts'
import { t } from './texts.ts'

/** A span of days, both ends included. */
export interface Days {
  from: string
  to: string
}

/** The most days of a span: a leap year. */
const MOST = 366

/** The error of a span, or ''. */
export const spanProblem = ({ from, to }: Days) =>
  from && to ? (between(from, to) < 0 ? t.backwards : between(from, to) >= MOST ? t.tooLong : '') : ''

/** The last `count` days, including today. */
export const lastDays = (count: number, now = today()): Days => ({ from: plus(now, 1 - count), to: now })

interface SpanProps<P extends number> {
  /** The numbers of days that one press chooses. */
  presets: readonly P[]
  /** The chosen number, or 'custom'. */
  value: P | 'custom'
  days: Days
  /** Called with a chosen number; `change` is called with the two days. */
  choose: (preset: P) => void
  change: (days: Days) => void
  max?: string
}

/** A period: the last days of a preset number, or from one day to another, at most a year. */
export function Span<P extends number>({ presets, value, days, choose, change, max }: SpanProps<P>) {
  const id = useId()
  const problem = spanProblem(days)
  return (
    <div class="span">
      <Segments
        label={t.span}
        of={[...presets.map((count) => [count, t.days(count)] as const), ['custom', t.custom]]}
        value={value}
        choose={(one) => (one === 'custom' ? value === 'custom' || change(days) : choose(one))}
      />
      {value === 'custom' && (
        <div class="span-days" role="group" aria-label={t.custom} aria-describedby={problem ? id : undefined}>
          <DateField label={t.from} value={days.from} max={max} change={(from) => change({ ...days, from })} />
          <DateField label={t.to} value={days.to} max={max} change={(to) => change({ ...days, to })} />
        </div>
      )}
      <p id={id} class="error small" role="alert">
        {value === 'custom' && problem}
      </p>
    </div>
  )
}
