import { TextField } from '../../parts/field.tsx'
import { ChangedMeanwhile } from '../../parts/form/changed-meanwhile.tsx'
import type { FormState } from '../../parts/form/use-form.ts'
import { IdsField } from '../../parts/ids-field.tsx'
import { PersonLine, TitledLine } from '../../parts/lines.tsx'
import { type Titled, titleOf } from '../../parts/title.ts'
import { nameOf } from '../../platform/language.ts'
import { type Person, peopleOf, searchGroups, searchPeople } from '../shared/directory.ts'
import { groupOf } from '../shared/group/data.ts'
import type { Fields } from './data.ts'
import { t } from './texts.ts'

/** The most groups, and the most leads, of a team. */
const MOST = 20

/** The names of a team, the groups whose members do its orders, and who answers for it. */
export function TeamFields({ form }: { form: FormState<Fields> }) {
  const { values, set } = form
  const people = peopleOf(values.leadUserIds)
  return (
    <>
      <ChangedMeanwhile of={form} labels={{ nameAr: t.nameAr, nameEn: t.nameEn, groupIds: t.groups, leadUserIds: t.leads }} />
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
    </>
  )
}
