import { TextField } from '../../../parts/forms/field.tsx'
import type { FormState } from '../../../parts/forms/form/use-form.ts'
import { IdsField } from '../../../parts/forms/ids-field.tsx'
import { PersonLine, TitledLine } from '../../../parts/show/lines.tsx'
import { titleOf } from '../../../parts/show/title.ts'
import { matches } from '../../../platform/folded.ts'
import { nameOf } from '../../../platform/language.ts'
import { type Person, peopleOf, type Role, roles, searchPeople } from '../shared/directory.ts'
import type { Values } from './data.ts'
import { t } from './texts.ts'

/** The fields of a service account except its username. */
export function AccountFields({ form }: { form: FormState<Values> }) {
  const { values, set } = form
  const given = (roles.data ?? []).filter(({ name }) => name !== 'admin')
  return (
    <>
      <div class="form-pair">
        <TextField label={t.nameAr} maxLength={200} {...form.text('nameAr')} />
        <TextField label={t.nameEn} maxLength={200} {...form.text('nameEn')} />
      </div>
      <IdsField<Role>
        label={t.roles}
        hint={t.rolesHint}
        error={form.error('roleIds')}
        none={t.noRoles}
        addLabel={t.addRole}
        ids={values.roleIds}
        change={(ids) => set('roleIds', ids)}
        of={(id) => given.find((role) => role.id === id)}
        name={titleOf}
        find={(typed) => given.filter((role) => matches(typed, role.name, role.descriptionAr, role.descriptionEn))}
      >
        {(role) => <TitledLine of={role} />}
      </IdsField>
      <IdsField<Person>
        label={t.contact}
        hint={t.contactHint}
        error={form.error('contactIds')}
        none={t.nobody}
        addLabel={t.addContact}
        most={1}
        ids={values.contactIds}
        change={(ids) => set('contactIds', ids)}
        of={(id) => peopleOf(values.contactIds).find((person) => person.id === id)}
        name={nameOf}
        find={searchPeople}
      >
        {(person) => <PersonLine person={person} size={32} />}
      </IdsField>
    </>
  )
}
