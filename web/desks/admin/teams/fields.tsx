import { SelectField, TextField } from '../../../parts/forms/field.tsx'
import { ChangedMeanwhile } from '../../../parts/forms/form/changed-meanwhile.tsx'
import type { FormState } from '../../../parts/forms/form/use-form.ts'
import { IdsField } from '../../../parts/forms/ids-field.tsx'
import { PersonLine, TitledLine } from '../../../parts/show/lines.tsx'
import { type Titled, titleOf } from '../../../parts/show/title.ts'
import { named, nameOf } from '../../../platform/language.ts'
import { calendars } from '../calendars/data.ts'
import { type Person, peopleOf, searchGroups, searchPeople } from '../shared/directory.ts'
import { groupOf } from '../shared/group/data.ts'
import type { Fields } from './data.ts'
import { t } from './texts.ts'

/** The most groups, and the most leads, of a team. */
const MOST = 20

function calendarName(id: number | null) {
  const found = calendars.data?.find((calendar) => calendar.id === id)
  return found ? named(found) : t.defaultCalendar
}

/** The fields of a team: its names, the groups whose members handle its orders, its leads, and its calendar. */
export function TeamFields({ form }: { form: FormState<Fields> }) {
  const { values, set } = form
  const people = peopleOf(values.leadUserIds)
  return (
    <>
      <ChangedMeanwhile
        of={form}
        labels={{ nameAr: t.nameAr, nameEn: t.nameEn, groupIds: t.groups, leadUserIds: t.leads, calendarId: t.calendar }}
        written={(field, value) => (field === 'calendarId' ? calendarName(value as number | null) : String(value))}
      />
      <div class="form-pair">
        <TextField label={t.nameAr} required maxLength={200} {...form.text('nameAr')} dir="rtl" />
        <TextField label={t.nameEn} required maxLength={200} {...form.text('nameEn')} dir="ltr" />
      </div>
      <IdsField<Titled & { id: number }>
        label={t.groups}
        hint={t.groupsHint}
        none={t.noGroups}
        addLabel={t.addGroup}
        error={form.error('groupIds')}
        ids={values.groupIds}
        change={(ids) => set('groupIds', ids)}
        of={(id) => groupOf(id).data}
        name={titleOf}
        find={searchGroups}
        most={MOST}
      >
        {(group) => <TitledLine of={group} />}
      </IdsField>
      <IdsField<Person>
        label={t.leads}
        hint={t.leadsHint}
        none={t.noLeads}
        addLabel={t.addPerson}
        error={form.error('leadUserIds')}
        ids={values.leadUserIds}
        change={(ids) => set('leadUserIds', ids)}
        of={(id) => people.find((person) => person.id === id)}
        name={nameOf}
        find={searchPeople}
        most={MOST}
      >
        {(person) => <PersonLine person={person} size={32} />}
      </IdsField>
      <SelectField
        label={t.calendar}
        hint={t.calendarHint}
        error={form.error('calendarId')}
        value={String(values.calendarId ?? '')}
        choices={[
          { value: '', text: t.defaultCalendar },
          ...(calendars.data ?? []).map(({ id }) => ({ value: String(id), text: calendarName(id) })),
        ]}
        choose={(id) => set('calendarId', Number(id) || null)}
      />
    </>
  )
}
