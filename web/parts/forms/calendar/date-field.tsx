import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { today } from '../../../platform/ago.ts'
import { Popover } from '../../overlay/popover.tsx'
import { Icon } from '../../show/icon.tsx'
import { Field } from '../field.tsx'
import { Calendar, dayInWords, leading } from './calendar.tsx'
import { dateOf, parseDay, plus } from './days.ts'
import { t } from './texts.ts'

interface DateProps {
  label: string
  hint?: string
  /** `YYYY-MM-DD`, or ''. */
  value: string
  change: (day: string) => void
  min?: string | undefined
  max?: string | undefined
  /** Today, if it is not that of the reader's time zone, such as the office's. */
  now?: string | undefined
  error?: string | undefined
  /** Called when the field begins or ceases to show an error about what is typed in it. */
  judged?: (isWrong: boolean) => void
  name?: string
  optional?: string
  /** Whether it is an error if the field is empty. */
  required?: boolean
}

/** The date as a person can type it: 24/11/2026, or 14/6/1448 if Hijri is the main calendar. */
function digitsOf(day: string, kind = leading.value) {
  if (!day) return ''
  const { year, month, day: at } = dateOf(day, kind)
  return `${at}/${month}/${year}`
}

const EXAMPLE_DAYS = 7
/** A day that the field accepts, in both calendars, as an example of how dates are typed. */
function examples(now: string, min: string | undefined, max: string | undefined) {
  let day = plus(now, EXAMPLE_DAYS)
  if (max && day > max) day = max
  if (min && day < min) day = min
  return [digitsOf(day, 'gregory'), digitsOf(day, 'islamic-umalqura')] as const
}

/** A day, typed in either calendar or chosen from a month. Below the field, the day appears in both. */
export function DateField(props: DateProps) {
  const { label, hint, value, change, min, max, now = today(), error, judged, name, optional, required = false } = props
  const typed = useSignal(digitsOf(value))
  const wrong = useSignal('')
  const field = useRef<HTMLInputElement>(null)
  /** Shows `problem` and makes the field invalid, so that its form is not saved; '' makes the field valid again. */
  const judge = (problem: string) => {
    if (Boolean(problem) !== Boolean(wrong.peek())) judged?.(problem !== '')
    wrong.value = problem
    field.current?.setCustomValidity(problem)
  }
  const kind = leading.value
  // A layout effect, because one after painting could replace text that the person has typed since.
  useLayoutEffect(() => {
    typed.value = digitsOf(value)
    judge('')
  }, [value, kind])
  /** Reads the typed text as the new value. Returns true only if the text was already written as the field writes its value. */
  function take() {
    const text = typed.value.trim()
    if (text === digitsOf(value)) {
      judge('')
      return true
    }
    const day = text || required ? parseDay(text, now) : ''
    if (day === undefined) judge(`${t.unknown} ${t.typed(...examples(now, min, max))}`)
    else if (day && min && day < min) judge(t.tooEarly(dayInWords(min)))
    else if (day && max && day > max) judge(t.tooLate(dayInWords(max)))
    else {
      judge('')
      typed.value = digitsOf(day)
      change(day)
    }
    return false
  }
  return (
    <Field
      label={label}
      hint={[hint, value && !wrong.value ? dayInWords(value) : t.example(...examples(now, min, max))].filter(Boolean).join(' ')}
      error={wrong.value || error}
      optional={optional}
    >
      {(tied) => (
        <div class="date-field">
          <input
            ref={field}
            class="input"
            data-late
            dir="ltr"
            inputMode="text"
            autocomplete="off"
            spellcheck={false}
            name={name}
            required={required}
            value={typed.value}
            onInput={(event) => {
              typed.value = event.currentTarget.value
            }}
            onBlur={take}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && !take()) event.preventDefault()
            }}
            {...tied}
          />
          <Popover label={t.open} face={<Icon name="calendar" />} class="button date-open">
            {(close) => (
              <Calendar
                isFocused
                label={label}
                value={value}
                min={min}
                max={max}
                now={now}
                choose={(day) => {
                  // As if it were typed, because it replaces a wrong text even if it is the stored day.
                  typed.value = digitsOf(day)
                  take()
                  close()
                }}
              />
            )}
          </Popover>
        </div>
      )}
    </Field>
  )
}
