import { useId, useRef } from 'preact/hooks'
import { isSame } from '../../../parts/forms/form/merging.ts'
import { useTypedTime } from '../../../parts/forms/time/typed-time.ts'
import { Button } from '../../../parts/show/button.tsx'
import { isolated, withDigits } from '../../../platform/language.ts'
import type { Hours, Weekly } from './data.ts'
import type { ErrorAt } from './errors.ts'
import { t } from './texts.ts'
import { copied, further, MOST_HOURS } from './times.ts'
import { weekdayName } from './words.ts'

interface WeekProps {
  weekly: Weekly
  change: (weekly: Weekly) => void
  errorAt: ErrorAt
  /** The path of the hours in the request, such as `weekly` or `periods.2.weekly`, which errors name. */
  path: string
}

/** The hours of the seven days of a week, Sunday first. */
export function Week({ weekly, change, errorAt, path }: WeekProps) {
  const set = (day: number, hours: Hours[]) => change(weekly.map((former, at) => (at === day ? hours : former)))
  return (
    <div class="calendars-week">
      {weekly.map((hours, day) => (
        <Day
          key={day}
          day={day}
          hours={hours}
          change={(next) => set(day, next)}
          copy={isSame(copied(weekly, day), weekly) || hours.length === 0 ? undefined : () => change(copied(weekly, day))}
          errorAt={errorAt}
          path={`${path}.${day}`}
        />
      ))}
      <p class="error small" role="alert">
        {errorAt(path)}
      </p>
    </div>
  )
}

interface DayProps {
  day: number
  hours: Hours[]
  change: (hours: Hours[]) => void
  /** Copies the hours to all days that have hours; undefined if there is nothing to copy or change. */
  copy: (() => void) | undefined
  errorAt: ErrorAt
  path: string
}

function Day({ day, hours, change, copy, errorAt, path }: DayProps) {
  const name = weekdayName(day)
  const box = useRef<HTMLFieldSetElement>(null)
  const set = (at: number, part: Partial<Hours>) => change(hours.map((one, index) => (index === at ? { ...one, ...part } : one)))
  /** Moves the focus, because the pressed button may be gone. */
  const focus = (wanted: string) => requestAnimationFrame(() => box.current?.querySelector<HTMLElement>(wanted)?.focus())
  return (
    <fieldset ref={box} class="calendars-day">
      <legend>{name}</legend>
      {hours.length === 0 && <p class="quiet">{t.closed}</p>}
      {hours.map(({ from, to }, at) => {
        const error = errorAt(`${path}.${at}`, true)
        return (
          <div key={at} class="calendars-hours">
            <Time label={t.from(name)} value={from} change={(time) => set(at, { from: time })} error={error} isQuiet />
            <span aria-hidden="true">–</span>
            <Time label={t.to(name)} value={to} change={(time) => set(at, { to: time })} error={error} />
            <Button
              kind="plain"
              icon="x"
              aria-label={t.removeHours(isolated(withDigits(`${name} ${from}–${to}`)))}
              onClick={() => {
                change(hours.filter((_, index) => index !== at))
                focus('.calendars-add')
              }}
            />
          </div>
        )
      })}
      <div class="calendars-day-acts">
        {hours.length < MOST_HOURS && (
          <Button
            kind="plain"
            icon="plus"
            class="button calendars-add"
            aria-label={t.addHoursOn(name)}
            onClick={() => {
              change([...hours, further(hours)])
              focus('.calendars-hours:nth-last-child(2) input')
            }}
          />
        )}
        {copy && <Button kind="plain" icon="copy" aria-label={t.copy(name)} title={t.copy(name)} onClick={copy} />}
      </div>
    </fieldset>
  )
}

interface TimeProps {
  label: string
  value: string
  change: (time: string) => void
  error: string | undefined
  /** Whether the field beside this one shows the error. */
  isQuiet?: boolean
}

/** A time of day, from 00:00 to 24:00. */
function Time({ label, value, change, error, isQuiet = false }: TimeProps) {
  const id = useId()
  const { input, wrong } = useTypedTime({ value, change, latest: '24:00', isFilled: true })
  const said = wrong || (isQuiet ? '' : error)
  return (
    <span class="calendars-time">
      <input {...input} aria-label={label} aria-invalid={wrong || error ? true : undefined} aria-describedby={said ? id : undefined} />
      <span id={id} class="error small" role="alert">
        {said}
      </span>
    </span>
  )
}
