import { useId } from 'preact/hooks'
import { Segments } from '../../show/segments.tsx'
import { DateField } from './date-field.tsx'
import { type Days, spanProblem } from './days.ts'
import { t } from './texts.ts'

interface SpanProps<P extends number> {
  /** The lengths of a period, in days, that one press chooses. */
  presets: readonly P[]
  /** The chosen preset, or 'custom'. */
  value: P | 'custom'
  days: Days
  /** The greatest length of a period between two chosen days, in days, both included. */
  most: number
  /** Called with the chosen preset; `change` is called with the two days. */
  choose: (preset: P) => void
  change: (days: Days) => void
  /** The last day, which is today in the time zone of the days. */
  max?: string
}

/** Chooses a period: one of the preset lengths, or the days from one day to another. */
export function Span<P extends number>({ presets, value, days, most, choose, change, max }: SpanProps<P>) {
  const id = useId()
  const wrong = spanProblem(days, most)
  const problem = wrong === 'tooLong' ? t.tooLong(most) : wrong && t[wrong]
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
          <DateField label={t.from} value={days.from} max={max} now={max} change={(from) => change({ ...days, from })} />
          <DateField label={t.to} value={days.to} max={max} now={max} change={(to) => change({ ...days, to })} />
        </div>
      )}
      <p id={id} class="error small" role="alert">
        {value === 'custom' && problem}
      </p>
    </div>
  )
}
