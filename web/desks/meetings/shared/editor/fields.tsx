import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { DateField } from '../../../../parts/forms/calendar/date-field.tsx'
import { Field, TextArea, TextField } from '../../../../parts/forms/field.tsx'
import type { FormState } from '../../../../parts/forms/form/use-form.ts'
import { Switch } from '../../../../parts/forms/switch.tsx'
import { TimeField } from '../../../../parts/forms/time/time-field.tsx'
import { Button } from '../../../../parts/show/button.tsx'
import { language } from '../../../../platform/language.ts'
import { officeDay } from '../office.ts'
import { AttendeesField } from './attendees-field.tsx'
import { placesUsed } from './data.ts'
import { t } from './texts.ts'
import type { Values } from './values.ts'

type Form = FormState<Values>

/** A text in both languages: the page's language first, the other if it has a text or the person adds one. */
function Both({ form, name }: { form: Form; name: 'title' | 'location' }) {
  const isAsked = useSignal(false)
  const id = useId()
  const order = language.value === 'ar' ? (['Ar', 'En'] as const) : (['En', 'Ar'] as const)
  const fieldOf = (half: 'Ar' | 'En') => `${name}${half}` as const
  const shown = order.filter((half, index) => index === 0 || isAsked.value || form.values[fieldOf(half)] !== '')
  const labels = { titleAr: t.titleAr, titleEn: t.titleEn, locationAr: t.place, locationEn: t.placeEn }
  const adds = { titleAr: t.addAr, titleEn: t.addEn, locationAr: t.addPlaceAr, locationEn: t.addPlaceEn }
  const missing = order.find((half) => !shown.includes(half))
  return (
    <>
      {shown.map((half) => {
        const { error, ...tied } = form.text(fieldOf(half))
        return (
          <Field key={half} label={labels[fieldOf(half)]} error={error}>
            {(around) => (
              <input
                class="input"
                dir="auto"
                maxLength={300}
                autocomplete="off"
                list={name === 'location' ? `${id}-places` : undefined}
                {...tied}
                {...around}
              />
            )}
          </Field>
        )
      })}
      {name === 'location' && (
        <datalist id={`${id}-places`}>
          {placesUsed().map((place) => (
            <option key={place} value={place} />
          ))}
        </datalist>
      )}
      {missing && (
        <Button
          kind="plain"
          icon="plus"
          class="button meeting-other"
          onClick={() => {
            isAsked.value = true
          }}
        >
          {adds[fieldOf(missing)]}
        </Button>
      )}
    </>
  )
}

export function Fields({ form, strip }: { form: Form; strip: ComponentChildren }) {
  const { values } = form
  const isBackwards = values.startTime !== '' && values.endTime !== '' && values.endTime <= values.startTime
  return (
    <>
      <Both form={form} name="title" />
      <div class="meeting-when">
        <DateField required label={t.date} now={officeDay()} {...form.moment('date')} />
        <TimeField label={t.start} {...form.moment('startTime')} />
        <TimeField label={t.end} {...form.moment('endTime')} error={isBackwards ? t.endFirst : form.error('endTime')} />
      </div>
      {strip}
      <Both form={form} name="location" />
      <AttendeesField people={values.attendees} change={(people) => form.set('attendees', people)} />
      <TextField label={t.link} hint={t.linkHint} inputMode="url" maxLength={2000} {...form.text('meetingUrl')} dir="ltr" />
      <TextArea label={t.notes} rows={3} maxLength={5000} {...form.text('notes')} />
      <Switch label={t.highlight} hint={t.highlightHint} on={values.isHighlighted} change={(on) => form.set('isHighlighted', on)} />
    </>
  )
}
