import { useId } from 'preact/hooks'
import { officeToday } from '../../../frame/office.ts'
import { DateField } from '../../../parts/forms/calendar/date-field.tsx'
import { TextField } from '../../../parts/forms/field.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { inLanguage, isolated } from '../../../platform/language.ts'
import type { Period, Weekly } from './data.ts'
import type { ErrorAt } from './errors.ts'
import { t } from './texts.ts'
import { nextPeriod } from './times.ts'
import { Week } from './week.tsx'

const MOST = 50

interface PeriodsProps {
  periods: Period[]
  /** The hours outside the periods. A new period starts out with a copy of them. */
  weekly: Weekly
  change: (periods: Period[]) => void
  errorAt: ErrorAt
}

/** The periods with other hours, such as Ramadan. */
export function Periods({ periods, weekly, change, errorAt }: PeriodsProps) {
  return (
    <>
      {periods.length === 0 && <p class="quiet">{t.noPeriods}</p>}
      {periods.map((period, at) => (
        <OnePeriod
          key={at}
          period={period}
          set={(part) => change(periods.map((one, index) => (index === at ? { ...one, ...part } : one)))}
          remove={() => change(periods.filter((_, index) => index !== at))}
          errorAt={errorAt}
          path={`periods.${at}`}
        />
      ))}
      <p class="error small" role="alert">
        {errorAt('periods')}
      </p>
      {periods.length < MOST && (
        <Button icon="plus" onClick={() => change([...periods, nextPeriod(periods, weekly, officeToday())])}>
          {t.addPeriod}
        </Button>
      )}
    </>
  )
}

interface OneProps {
  period: Period
  set: (part: Partial<Period>) => void
  remove: () => void
  errorAt: ErrorAt
  path: string
}

function OnePeriod({ period, set, remove, errorAt, path }: OneProps) {
  const id = useId()
  const { from, to, nameAr, nameEn, weekly } = period
  const name = inLanguage(nameAr, nameEn)
  const now = officeToday()
  return (
    <section class="calendars-period" aria-labelledby={id}>
      <div class="calendars-period-head">
        <h3 id={id}>{name ? <bdi>{name}</bdi> : t.unnamedPeriod}</h3>
        <Button kind="plain" icon="trash-2" aria-label={t.removePeriod(isolated(name || t.unnamedPeriod))} onClick={remove} />
      </div>
      <p class="error small" role="alert">
        {errorAt(path)}
      </p>
      <div class="form-pair">
        <DateField
          label={t.firstDay}
          value={from}
          required
          now={now}
          error={errorAt(`${path}.from`)}
          change={(day) => set({ from: day })}
        />
        <DateField label={t.lastDay} value={to} required now={now} error={errorAt(`${path}.to`)} change={(day) => set({ to: day })} />
        <TextField
          label={t.nameAr}
          optional={t.optional}
          maxLength={200}
          dir="rtl"
          value={nameAr ?? ''}
          error={errorAt(`${path}.nameAr`)}
          onInput={(event) => set({ nameAr: event.currentTarget.value || null })}
        />
        <TextField
          label={t.nameEn}
          optional={t.optional}
          maxLength={200}
          dir="ltr"
          value={nameEn ?? ''}
          error={errorAt(`${path}.nameEn`)}
          onInput={(event) => set({ nameEn: event.currentTarget.value || null })}
        />
      </div>
      <Week weekly={weekly} change={(next) => set({ weekly: next })} errorAt={errorAt} path={`${path}.weekly`} />
    </section>
  )
}
