import { useEffect, useRef } from 'preact/hooks'
import { TextField } from '../../parts/field.tsx'
import { format } from '../../platform/dates.ts'
import { hoursIn } from './hours.ts'
import { t } from './texts.ts'

/** 2023-01-01 was a Sunday. */
const dayName = (day: number) => format(new Date(Date.UTC(2023, 0, 1 + day)), { weekday: 'long', timeZone: 'UTC' })

/** The hours of each day of the week, each as one text. A form with hours that cannot be read is not saved. */
export function Week({
  label,
  of,
  change,
  error,
}: {
  label: string
  of: string[]
  change: (weekly: string[]) => void
  error?: string | undefined
}) {
  const box = useRef<HTMLFieldSetElement>(null)
  useEffect(() => {
    const inputs = box.current!.querySelectorAll('input')
    of.forEach((text, day) => {
      inputs[day]?.setCustomValidity(hoursIn(text) ? '' : t.wrongHours)
    })
  }, [of])
  return (
    <fieldset class="calendars-week" ref={box}>
      <legend>{label}</legend>
      <p class="quiet small">{t.hoursHint}</p>
      {of.map((text, day) => (
        <TextField
          key={day}
          label={dayName(day)}
          dir="ltr"
          value={text}
          placeholder={t.closed}
          maxLength={80}
          error={hoursIn(text) ? undefined : t.wrongHours}
          onInput={(event) => change(of.with(day, event.currentTarget.value))}
        />
      ))}
      <p class="error small" role="alert">
        {error}
      </p>
    </fieldset>
  )
}
