import './calendar.css'
import { type Signal, signal, useSignal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import { today } from '../../../platform/ago.ts'
import { format } from '../../../platform/dates.ts'
import { setting } from '../../../platform/device.ts'
import { formatNumber } from '../../../platform/language.ts'
import { Button } from '../../show/button.tsx'
import { Segments } from '../../show/segments.tsx'
import { dateOf, type Calendar as Kind, monthOf, monthsOf, plus, plusMonths, weekdayOf, weeksOf } from './days.ts'
import { t } from './texts.ts'

/** The main calendar, which the person chooses on this device. */
export const leading = signal<Kind>(setting.read('calendar') === 'hijri' ? 'islamic-umalqura' : 'gregory')
function lead(kind: Kind) {
  leading.value = kind
  setting.write('calendar', kind === 'gregory' ? null : 'hijri')
}
const otherThan = (kind: Kind): Kind => (kind === 'gregory' ? 'islamic-umalqura' : 'gregory')

const written = (day: string, calendar: Kind, options: Intl.DateTimeFormatOptions) => format(day, { timeZone: 'UTC', ...options }, calendar)

/** A day in words, in both calendars: "Tuesday, 24 November 2026, 14 Jumada II 1448". */
export function dayInWords(day: string, kind: Kind = leading.value) {
  const whole = { day: 'numeric', month: 'long', year: 'numeric' } as const
  return `${written(day, kind, { weekday: 'long', ...whole })}${t.comma}${written(day, otherThan(kind), whole)}`
}

/** The months of the calendar `kind` that overlap the other calendar’s month around `day`: "Jumada I – Jumada II 1448". */
function monthsBeside(day: string, kind: Kind) {
  const { first, length } = monthOf(day, otherThan(kind))
  const last = plus(first, length - 1)
  const [from, to] = [dateOf(first, kind), dateOf(last, kind)]
  const month = (day: string, isWhole: boolean) => written(day, kind, { month: 'long', ...(isWhole && { year: 'numeric' }) })
  return from.month === to.month ? month(last, true) : `${month(first, from.year !== to.year)} – ${month(last, true)}`
}

interface CalendarProps {
  label: string
  /** The chosen day, `YYYY-MM-DD`, or ''. */
  value: string
  choose: (day: string) => void
  min?: string | undefined
  max?: string | undefined
  /** Whether the calendar takes the focus when it appears. */
  isFocused?: boolean
  /** Today; by default in the reader's time zone. */
  now?: string
  /** The days of a span that get a dot, each with a description for screen readers. */
  marks?: (from: string, to: string) => ReadonlyMap<string, string>
  /** Says that a day is closed, for screen readers; undefined for an open day. A closed day is shaded and can still be chosen. */
  closed?: (day: string) => string | undefined
  /** Whether all months of a year are shown. */
  isYear?: boolean
}

interface MonthProps extends Pick<CalendarProps, 'value' | 'choose' | 'now' | 'marks' | 'closed'> {
  /** Any day of the month that is shown, `YYYY-MM-DD`. */
  day: string
  here: Signal<string>
  isOpen: (day: string) => boolean
  pressed: (event: KeyboardEvent) => void
  label: string
  describedBy: string
}

function Month({ day: at, here, isOpen, pressed, label, describedBy, value, choose, now, marks, closed }: MonthProps) {
  const kind = leading.value
  const { month } = monthOf(at, kind)
  const weeks = weeksOf(at, kind)
  const marked = marks?.(weeks[0]![0]!, weeks.at(-1)![6]!)
  return (
    <div class="calendar-days" role="grid" aria-label={label} aria-describedby={describedBy} onKeyDown={pressed}>
      <div role="row">
        {weeks[0]!.map((day) => (
          <span key={day} role="columnheader" aria-label={written(day, 'gregory', { weekday: 'long' })}>
            {written(day, 'gregory', { weekday: 'narrow' })}
          </span>
        ))}
      </div>
      {weeks.map((week) => (
        <div key={week[0]} role="row">
          {week.map((day) => {
            const isOutside = dateOf(day, kind).month !== month
            const closedText = closed?.(day)
            return (
              <span key={day} role="gridcell" aria-selected={day === value}>
                <button
                  type="button"
                  aria-current={day === now ? 'date' : undefined}
                  data-day={day}
                  data-marked={marked?.has(day) || undefined}
                  data-closed={closedText ? true : undefined}
                  data-outside={isOutside || undefined}
                  aria-disabled={!isOpen(day) || undefined}
                  tabIndex={day === here.value && !isOutside ? 0 : -1}
                  onClick={() => {
                    here.value = day
                    if (isOpen(day)) choose(day)
                  }}
                >
                  <span aria-hidden="true">
                    {formatNumber(dateOf(day, kind).day)}
                    <small>{formatNumber(dateOf(day, otherThan(kind)).day)}</small>
                  </span>
                  <span class="unseen">{[dayInWords(day, kind), marked?.get(day), closedText].filter(Boolean).join(t.comma)}</span>
                </button>
              </span>
            )
          })}
        </div>
      ))}
    </div>
  )
}

/**
 * A month, or a year by months, with the numbers of both calendars. Arrows move by days, Page Up and Down by months, with Shift by years,
 * Home and End to the ends of the week, T to today; Enter chooses.
 */
export function Calendar({
  label,
  value,
  choose,
  min,
  max,
  isFocused = false,
  now = today(),
  marks,
  closed,
  isYear = false,
}: CalendarProps) {
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const here = useSignal(value || now)
  const kind = leading.value
  const other = otherThan(kind)
  const isOpen = (day: string) => (!min || day >= min) && (!max || day <= max)
  const focus = () => requestAnimationFrame(() => box.current?.querySelector<HTMLElement>('[data-day][tabindex="0"]')?.focus())
  useEffect(() => {
    if (isFocused) focus()
  }, [])
  useEffect(() => {
    if (value) here.value = value
  }, [value])

  function pressed(event: KeyboardEvent) {
    const onward = getComputedStyle(event.currentTarget as Element).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    const day = here.value
    // The focus moves a frame later, so choose the day that the last key led to, not the focused day.
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      if (isOpen(day)) choose(day)
      return
    }
    const by = (days: number) => plus(day, days)
    const to =
      event.key === 'ArrowLeft' || event.key === 'ArrowRight'
        ? by(event.key === onward ? 1 : -1)
        : event.key === 'ArrowUp' || event.key === 'ArrowDown'
          ? by(event.key === 'ArrowDown' ? 7 : -7)
          : event.key === 'PageUp' || event.key === 'PageDown'
            ? plusMonths(day, (event.key === 'PageDown' ? 1 : -1) * (event.shiftKey ? 12 : 1), kind)
            : event.key === 'Home'
              ? by(-weekdayOf(day))
              : event.key === 'End'
                ? by(6 - weekdayOf(day))
                : event.code === 'KeyT'
                  ? now
                  : undefined
    if (to === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    here.value = to
    focus()
  }
  const turn = (months: number) => {
    here.value = plusMonths(here.value, months, kind)
  }
  const month = (day: string) => ({ day, here, isOpen, pressed, value, choose, now, ...(marks && { marks }), ...(closed && { closed }) })
  const months = isYear ? monthsOf(here.value, kind) : []
  const yearOf = (day: string) => written(day, other, { year: 'numeric' })
  /** The years of the other calendar that the year overlaps. */
  const years = ([first]: string[]) => `${yearOf(first!)} – ${yearOf(plus(plusMonths(first!, 12, kind), -1))}`
  const step = isYear ? 12 : 1
  return (
    <div ref={box} class="calendar" data-year={isYear || undefined}>
      <div class="calendar-head">
        <Button
          kind="plain"
          icon="chevron-right"
          class="button calendar-before"
          aria-label={isYear ? t.yearBefore : t.before}
          onClick={() => turn(-step)}
        />
        <p id={`${id}-month`} aria-live="polite">
          <strong>{written(here.value, kind, { ...(!isYear && { month: 'long' }), year: 'numeric' })}</strong>
          <span class="quiet small">{isYear ? years(months) : monthsBeside(here.value, other)}</span>
        </p>
        <Button kind="plain" icon="chevron-right" aria-label={isYear ? t.yearAfter : t.after} onClick={() => turn(step)} />
      </div>
      {isYear ? (
        <div class="calendar-months" role="group" aria-label={label}>
          {months.map((day) => (
            <div key={day}>
              <p aria-hidden="true">
                {written(day, kind, { month: 'long' })} <span class="quiet small">{monthsBeside(day, other)}</span>
              </p>
              <Month {...month(day)} label={written(day, kind, { month: 'long', year: 'numeric' })} describedBy={`${id}-keys`} />
            </div>
          ))}
        </div>
      ) : (
        <Month {...month(here.value)} label={label} describedBy={`${id}-month ${id}-keys`} />
      )}
      <p id={`${id}-keys`} class="unseen">
        {t.keys}
      </p>
      <div class="calendar-end">
        <Button
          kind="plain"
          onClick={() => {
            here.value = now
            focus()
          }}
        >
          {t.today}
        </Button>
        <Segments
          label={t.calendar}
          of={[
            ['gregory', t.gregorian],
            ['islamic-umalqura', t.hijri],
          ]}
          value={kind}
          choose={lead}
        />
      </div>
    </div>
  )
}
