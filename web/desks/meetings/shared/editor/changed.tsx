import { ChangedMeanwhile } from '../../../../parts/forms/form/changed-meanwhile.tsx'
import type { FormState } from '../../../../parts/forms/form/use-form.ts'
import { listed } from '../../../../platform/language.ts'
import { t } from './texts.ts'
import type { Values } from './values.ts'

const labelsOf = () => ({
  ...{ titleAr: t.titleAr, titleEn: t.titleEn, date: t.date, startTime: t.start, endTime: t.end, locationAr: t.place },
  ...{ locationEn: t.placeEn, meetingUrl: t.link, notes: t.notes, isHighlighted: t.highlight, attendees: t.attendees },
})
const written = (field: string, value: unknown) =>
  field === 'attendees' ? listed((value as Values['attendees']).map(({ name }) => name)) : value === true ? '✓' : String(value || '')

interface ChangedProps<V extends Values> {
  form: FormState<V>
  /** Labels for fields of the form that are not fields of a meeting. */
  labels?: Partial<Record<keyof V & string, string>>
}

/** Both versions of the fields of a meeting that two people changed differently. */
export const Changed = <V extends Values>({ form, labels }: ChangedProps<V>) => (
  <ChangedMeanwhile<V> of={form} labels={{ ...labelsOf(), ...labels } as Partial<Record<keyof V & string, string>>} written={written} />
)
