import { officeToday } from '../../../frame/office.ts'
import { Calendar, dayInWords } from '../../../parts/forms/calendar/calendar.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { isWide } from '../../../parts/show/wide.ts'
import { formatNumber, inLanguage, isolated } from '../../../platform/language.ts'
import type { DayOff, Period, Weekly } from './data.ts'
import type { ErrorAt } from './errors.ts'
import { t } from './texts.ts'
import { isClosed, toggled } from './times.ts'

interface DaysOffProps {
  days: DayOff[]
  /** The hours, because days without them are shaded. */
  weekly: Weekly
  periods: Period[]
  change: (days: DayOff[]) => void
  errorAt: ErrorAt
}

const yearOf = (date: string) => Number(date.slice(0, 4))

/** The days off. A press on a day adds or removes it; a list for each year has the names. On wide pages, a whole year is shown. */
export function DaysOff({ days, weekly, periods, change, errorAt }: DaysOffProps) {
  const now = officeToday()
  const years = [...new Set(days.map(({ date }) => yearOf(date)))]
  const marks = (from: string, to: string) =>
    new Map(days.filter(({ date }) => from <= date && date <= to).map((day) => [day.date, inLanguage(day.nameAr, day.nameEn) || t.dayOff]))
  return (
    <div class="calendars-off">
      <Calendar
        label={t.daysOff}
        value=""
        now={now}
        marks={marks}
        closed={(day) => (isClosed(day, weekly, periods) ? t.closed : undefined)}
        choose={(date) => change(toggled(days, date))}
        isYear={isWide.value}
      />
      <div class="calendars-years">
        <p class="error small" role="alert">
          {errorAt('daysOff')}
        </p>
        {days.length === 0 && <p class="quiet">{t.noDaysOff}</p>}
        {years.map((year) => (
          <details key={year} open={year >= yearOf(now)}>
            <summary>
              <strong>{formatNumber(year, { useGrouping: false })}</strong>{' '}
              <span class="quiet small">{t.days(days.filter(({ date }) => yearOf(date) === year).length)}</span>
            </summary>
            <ul>
              {days.map(
                (day, at) =>
                  yearOf(day.date) === year && (
                    <OneDay
                      key={day.date}
                      day={day}
                      set={(part) => change(days.map((one) => (one.date === day.date ? { ...one, ...part } : one)))}
                      remove={() => change(toggled(days, day.date))}
                      error={errorAt(`daysOff.${at}`, true)}
                    />
                  ),
              )}
            </ul>
          </details>
        ))}
      </div>
    </div>
  )
}

interface OneProps {
  day: DayOff
  set: (part: Partial<DayOff>) => void
  remove: () => void
  error: string | undefined
}

function OneDay({ day: { date, nameAr, nameEn }, set, remove, error }: OneProps) {
  const words = dayInWords(date)
  return (
    <li class="calendars-day-off">
      <span class="small">{words}</span>
      <Button kind="plain" icon="x" aria-label={t.removeDay(isolated(words))} onClick={remove} />
      <div class="form-pair">
        <input
          class="input"
          dir="rtl"
          maxLength={200}
          placeholder={t.nameAr}
          aria-label={t.nameArOf(words)}
          value={nameAr ?? ''}
          onInput={(event) => set({ nameAr: event.currentTarget.value || null })}
        />
        <input
          class="input"
          dir="ltr"
          maxLength={200}
          placeholder={t.nameEn}
          aria-label={t.nameEnOf(words)}
          value={nameEn ?? ''}
          onInput={(event) => set({ nameEn: event.currentTarget.value || null })}
        />
      </div>
      <p class="error small" role="alert">
        {error}
      </p>
    </li>
  )
}
