import './style.css'
import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { dayInWords } from '../../../parts/forms/calendar/calendar.tsx'
import { TextField } from '../../../parts/forms/field.tsx'
import { ChangedMeanwhile } from '../../../parts/forms/form/changed-meanwhile.tsx'
import { Form, Save } from '../../../parts/forms/form/form.tsx'
import { rereading, useForm } from '../../../parts/forms/form/use-form.ts'
import { say } from '../../../parts/overlay/toasts.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { attempt } from '../../../parts/show/failures.ts'
import { Section } from '../../../parts/show/section.tsx'
import { inLanguage, isolated, named } from '../../../platform/language.ts'
import { Head } from '../shared/head.tsx'
import { RecordPage } from '../shared/record-page.tsx'
import { type Calendar, calendarOf, changeCalendar, type Fields, fieldsOf, makeDefault, type Period } from './data.ts'
import { DaysOff } from './days-off.tsx'
import { errorsIn } from './errors.ts'
import { Periods } from './periods.tsx'
import { movedInWords, usePreview } from './preview.ts'
import { Removal } from './removal.tsx'
import { t } from './texts.ts'
import { Week } from './week.tsx'
import { weekInWords } from './words.ts'

/** A working calendar: its names, its hours, its periods with other hours and its days off. */
export function OneCalendar({ id }: { id: number }) {
  const calendar = calendarOf(id)
  return (
    <RecordPage
      of={calendar}
      target="working_calendar"
      id={id}
      title={named}
      noun={t.title}
      list={{ path: '/admin/calendars', title: t.title }}
      gone={t.gone}
    >
      {(data, version) => <Editor calendar={data} version={version} />}
    </RecordPage>
  )
}

const periodInWords = ({ from, to, nameAr, nameEn, weekly }: Period) =>
  `${inLanguage(nameAr, nameEn) || t.unnamedPeriod}: ${dayInWords(from)} – ${dayInWords(to)} (${weekInWords(weekly)})`

/** A value in words, to compare two versions of a field. */
function written(field: keyof Fields, value: unknown) {
  if (field === 'weekly') return weekInWords(value as Fields['weekly'])
  if (field === 'periods') return (value as Fields['periods']).map(periodInWords).join(' · ')
  if (field === 'daysOff') return (value as Fields['daysOff']).map(({ date }) => dayInWords(date)).join(' · ')
  return String(value)
}

function Editor({ calendar, version }: { calendar: Calendar; version: string | undefined }) {
  const { id } = calendar
  const isAsking = useSignal(false)
  const from = fieldsOf(calendar)
  const { preview, foreseen, isSeen } = usePreview(id, from)
  const editing = useForm<Fields>({
    from,
    version,
    draft: `working-calendar:${id}`,
    foreseen,
    fieldOf: { name_taken: 'nameAr' },
    save: (changed, known) => changeCalendar(id, changed, known),
    reread: rereading(calendarOf(id), fieldsOf),
    saidOf: () => t.saved,
    canUndo: true,
  })
  const latest = useRef(editing)
  latest.current = editing
  const form = {
    ...editing,
    async submit() {
      // Wait until the form has rendered with a text that a field has just accepted.
      await new Promise((resolve) => setTimeout(resolve))
      if (await isSeen(latest.current.values)) await latest.current.submit()
    },
  }
  const { values, set } = form
  const errorAt = errorsIn(form.failure)
  const remove = () => {
    isAsking.value = true
  }
  const become = async () => {
    if (await attempt(makeDefault(id))) say({ text: t.madeDefault(isolated(named(calendar))) })
  }
  return (
    <>
      <Head
        title={isolated(named(calendar))}
        acts={
          calendar.isDefault
            ? []
            : [
                { text: t.makeDefault, icon: 'check', run: become },
                { text: t.remove, icon: 'trash-2', run: remove },
              ]
        }
      >
        <p class="quiet head-under">
          <span>
            <bdi lang={inLanguage('en', 'ar')}>{inLanguage(calendar.nameEn, calendar.nameAr)}</bdi>
          </span>
          {calendar.isDefault && <span>{t.defaultHint}</span>}
        </p>
      </Head>
      <Form of={form} class="form calendars-form">
        <ChangedMeanwhile
          of={form}
          labels={{ nameAr: t.nameAr, nameEn: t.nameEn, weekly: t.hours, periods: t.periods, daysOff: t.daysOff }}
          written={written}
        />
        <div class="form-pair">
          <TextField label={t.nameAr} required maxLength={200} {...form.text('nameAr')} dir="rtl" />
          <TextField label={t.nameEn} required maxLength={200} {...form.text('nameEn')} dir="ltr" />
        </div>
        <Section name="hours" title={t.hours} hint={t.hoursHint}>
          <Week weekly={values.weekly} change={(weekly) => set('weekly', weekly)} errorAt={errorAt} path="weekly" />
        </Section>
        <Section name="periods" title={t.periods} hint={t.periodsHint}>
          <Periods periods={values.periods} weekly={values.weekly} change={(periods) => set('periods', periods)} errorAt={errorAt} />
        </Section>
        <Section name="days-off" title={t.daysOff} hint={t.daysOffHint}>
          <DaysOff
            days={values.daysOff}
            weekly={values.weekly}
            periods={values.periods}
            change={(days) => set('daysOff', days)}
            errorAt={errorAt}
          />
        </Section>
        {form.isChanged && (
          <div class="calendars-save">
            <p role="status">{typeof preview.value === 'string' ? t[preview.value] : movedInWords(preview.value)}</p>
            <Save of={form} />
            <Button kind="plain" onClick={form.discard}>
              {t.discard}
            </Button>
          </div>
        )}
      </Form>
      {isAsking.value && (
        <Removal
          calendar={calendar}
          close={() => {
            isAsking.value = false
          }}
        />
      )}
    </>
  )
}
