import { useId } from 'preact/hooks'
import { today } from '../../platform/dates.ts'
import { Segments } from '../segments.tsx'
import { DateField } from './date-field.tsx'
import { between, plus } from './days.ts'
import { t } from './texts.ts'

/** Both days belong to it. */
export interface Days {
  from: string
  to: string
}

/** A leap year, both ends counted. */
const MOST = 366

/** What is wrong with a span, or ''. */
export const spanProblem = ({ from, to }: Days) =>
  from && to ? (between(from, to) < 0 ? t.backwards : between(from, to) >= MOST ? t.tooLong : '') : ''

/** The last so many days. */
export const lastDays = (count: number, now = today()): Days => ({ from: plus(now, 1 - count), to: now })

interface SpanProps<P extends number> {
  /** Numbers of days that are chosen with one press. */
  presets: readonly P[]
  /** The number in force, or 'custom'. */
  value: P | 'custom'
  days: Days
  /** Given the number, or the two days. */
  choose: (preset: P) => void
  change: (days: Days) => void
  max?: string
}

/** A period: the last days of a usual number, or from one day to another, a year at most. */
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
