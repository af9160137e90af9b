import { useSignal } from '@preact/signals'
import { Button } from '../../parts/button.tsx'
import { DateField } from '../../parts/calendar/date-field.tsx'
import { TextField } from '../../parts/field.tsx'
import { ChangedMeanwhile } from '../../parts/form/changed-meanwhile.tsx'
import type { FormState } from '../../parts/form/use-form.ts'
import { Section } from '../../parts/section.tsx'
import { hijriDay, longDay } from '../../platform/dates.ts'
import { inLanguage } from '../../platform/language.ts'
import { blank, type DayOff, type Fields, type Period } from './data.ts'
import { t } from './texts.ts'
import { Week } from './week.tsx'

type Of = { form: FormState<Fields> }

export function Names({ form }: Of) {
  return (
    <div class="form-pair">
      <TextField label={t.nameAr} required maxLength={200} {...form.text('nameAr')} dir="rtl" />
      <TextField label={t.nameEn} required maxLength={200} {...form.text('nameEn')} dir="ltr" />
    </div>
  )
}

/** All that a calendar says. */
export function CalendarFields({ form }: Of) {
  const { values, set } = form
  return (
    <>
      <ChangedMeanwhile
        of={form}
        labels={{ nameAr: t.nameAr, nameEn: t.nameEn, weekly: t.hours, periods: t.periods, daysOff: t.daysOff }}
      />
      <Names form={form} />
      <Week label={t.hours} of={values.weekly} change={(weekly) => set('weekly', weekly)} error={form.error('weekly')} />
      <DaysOff form={form} />
      <Periods form={form} />
    </>
  )
}

const nameOf = ({ nameAr, nameEn }: { nameAr: string | null; nameEn: string | null }) => inLanguage(nameAr, nameEn)
/** Noon, so that every time zone shows the same day. */
const noon = (day: string) => `${day}T12:00:00Z`

function DaysOff({ form }: Of) {
  const { values, set } = form
  const [date, nameAr, nameEn] = [useSignal(''), useSignal(''), useSignal('')]
  const isKnown = values.daysOff.some((day) => day.date === date.value)
  function add() {
    const day: DayOff = { date: date.value, nameAr: nameAr.value.trim() || null, nameEn: nameEn.value.trim() || null }
    set(
      'daysOff',
      [...values.daysOff, day].toSorted((one, other) => (one.date < other.date ? -1 : 1)),
    )
    for (const field of [date, nameAr, nameEn]) field.value = ''
  }
  return (
    <Section name="daysOff" title={t.daysOff} hint={t.daysOffHint}>
      <ul class="lines">
        {values.daysOff.map((day) => (
          <li key={day.date} class="calendars-line">
            <span>
              <strong>{longDay(noon(day.date), 'UTC')}</strong> <span class="quiet small">{hijriDay(noon(day.date), 'UTC')}</span>
              {nameOf(day) && (
                <>
                  {' '}
                  <bdi>{nameOf(day)}</bdi>
                </>
              )}
            </span>
            <Button
              icon="x"
              aria-label={t.without(longDay(noon(day.date), 'UTC'))}
              onClick={() =>
                set(
                  'daysOff',
                  values.daysOff.filter((one) => one !== day),
                )
              }
            />
          </li>
        ))}
      </ul>
      <div class="calendars-add">
        <DateField label={t.day} value={date.value} change={(day) => (date.value = day)} error={isKnown ? t.knownDay : undefined} />
        <TextField
          label={t.dayNameAr}
          value={nameAr.value}
          maxLength={200}
          dir="rtl"
          onInput={(event) => (nameAr.value = event.currentTarget.value)}
        />
        <TextField
          label={t.dayNameEn}
          value={nameEn.value}
          maxLength={200}
          dir="ltr"
          onInput={(event) => (nameEn.value = event.currentTarget.value)}
        />
        <Button icon="plus" disabled={!date.value || isKnown} onClick={add}>
          {t.addDay}
        </Button>
      </div>
      <p class="error small" role="alert">
        {form.error('daysOff')}
      </p>
    </Section>
  )
}

function Periods({ form }: Of) {
  const { values, set } = form
  const change = (at: number, fields: Partial<Period>) =>
    set(
      'periods',
      values.periods.map((period, n) => (n === at ? { ...period, ...fields } : period)),
    )
  const add = () => set('periods', [...values.periods, { from: '', to: '', nameAr: '', nameEn: '', weekly: blank.weekly }])
  return (
    <Section name="periods" title={t.periods} hint={t.periodsHint}>
      {values.periods.map((period, n) => (
        <div class="calendars-period" key={`${n}`}>
          <div class="form-pair">
            <DateField label={t.from} required value={period.from} change={(from) => change(n, { from })} />
            <DateField label={t.to} required value={period.to} change={(to) => change(n, { to })} />
          </div>
          <div class="form-pair">
            <TextField
              label={t.nameAr}
              value={period.nameAr}
              maxLength={200}
              dir="rtl"
              onInput={(event) => change(n, { nameAr: event.currentTarget.value })}
            />
            <TextField
              label={t.nameEn}
              value={period.nameEn}
              maxLength={200}
              dir="ltr"
              onInput={(event) => change(n, { nameEn: event.currentTarget.value })}
            />
          </div>
          <Week label={t.hoursOf(nameOf(period) || t.period)} of={period.weekly} change={(weekly) => change(n, { weekly })} />
          <Button icon="trash-2" onClick={() => set('periods', values.periods.toSpliced(n, 1))}>
            {t.removePeriod}
          </Button>
        </div>
      ))}
      <Button icon="plus" onClick={add}>
        {t.addPeriod}
      </Button>
      <p class="error small" role="alert">
        {form.error('periods')}
      </p>
    </Section>
  )
}
