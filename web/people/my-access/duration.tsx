import { Field } from '../../parts/forms/field.tsx'
import { Segments } from '../../parts/show/segments.tsx'
import { present } from '../../platform/ago.ts'
import { longDay } from '../../platform/dates.ts'
import { wholeNumber } from '../../platform/folded.ts'
import { t } from './texts.ts'

/** A number of days; null means without an end. If the person types a number, `typed` holds its text and replaces `days`. */
export interface Duration {
  days: number | null
  typed?: string | undefined
}

const PROPOSED = [7, 30, 90, 365]
const USUAL = 30
const LONGEST = 1825
const DAY_MS = 86_400_000

/** The proposed length for a group with a maximum of `most` days: 30 days, or `most` if that is less. */
export const usual = (most: number | null): Duration => ({ days: Math.min(USUAL, most ?? USUAL) })

/** The chosen number of days; undefined if a typed number is not allowed. */
export function daysOf({ days, typed }: Duration, most: number | null) {
  if (typed === undefined) return days
  const count = wholeNumber(typed)
  return count && count <= (most ?? LONGEST) ? count : undefined
}

/** The chosen duration, or the usual one if the group no longer allows the choice. A typed number is kept. */
export const fitting = (chosen: Duration, most: number | null): Duration =>
  chosen.typed === undefined && most !== null && (chosen.days === null || chosen.days > most) ? usual(most) : chosen

/** A number of days in words, or that there is no end. */
export const inDays = (days: number | null) => (days === null ? t.noEnd : t.days(days))

/** The date that is `days` days from now, in words. */
export const dayAfter = (days: number) => longDay(new Date(present().getTime() + days * DAY_MS))

interface DurationProps {
  label: string
  value: Duration
  /** The most days; null: up to five years, or without an end. */
  most: number | null
  change: (value: Duration) => void
  /** Whether the error of a typed number is shown. */
  isChecked: boolean
  /** A text about the result of the choice. */
  hint: (days: number | null) => string
}

/** A choice of usual lengths, the longest allowed, and a number that the person types. */
export function DurationField({ label, value, most, change, isChecked, hint }: DurationProps) {
  const proposed = [...new Set([...PROPOSED.filter((days) => most === null || days < most), ...(most === null ? [] : [most])])]
  const days = daysOf(value, most)
  const longest = t.days(most ?? LONGEST)
  const isTyping = value.typed !== undefined
  return (
    <div class="my-access-duration">
      <p class="my-access-label">{label}</p>
      <Segments
        label={label}
        of={[
          ...proposed.map((one) => [String(one), t.days(one)] as const),
          ...(most === null ? [['', t.noEnd] as const] : []),
          ['typed', t.other] as const,
        ]}
        value={isTyping ? 'typed' : String(value.days ?? '')}
        choose={(chosen) =>
          change(
            chosen === 'typed' ? { days: value.days, typed: String(value.days ?? '') } : { days: chosen === '' ? null : Number(chosen) },
          )
        }
      />
      {isTyping && (
        <Field label={t.dayCount} hint={t.between(longest)} error={isChecked && days === undefined ? t.wrongDays(longest) : undefined}>
          {(tied) => (
            <input
              class="input numbers"
              inputMode="numeric"
              autocomplete="off"
              dir="ltr"
              maxLength={4}
              value={value.typed}
              onInput={(event) => change({ days: value.days, typed: event.currentTarget.value })}
              {...tied}
            />
          )}
        </Field>
      )}
      <p class="quiet small" role="status">
        {days !== undefined && hint(days)}
      </p>
    </div>
  )
}
