import { useSignal } from '@preact/signals'
import { Combobox } from '../../../../parts/forms/combobox.tsx'
import { SelectField, TextField } from '../../../../parts/forms/field.tsx'
import { Ordered } from '../../../../parts/lists/ordered/ordered.tsx'
import { Button } from '../../../../parts/show/button.tsx'
import { Icon } from '../../../../parts/show/icon.tsx'
import { PersonLine } from '../../../../parts/show/lines.tsx'
import { isolated, nameOf } from '../../../../platform/language.ts'
import { AttendeeFace } from '../attendees.tsx'
import { type Colleague, findColleagues } from './data.ts'
import { t } from './texts.ts'
import type { Person } from './values.ts'

/** A possible attendee: a colleague, or a name as written. */
type Option = { colleague: Colleague } | { written: string }

let added = 0
export const writtenPerson = (name: string): Person => ({ id: --added, name, title: '', kind: 'external', userId: null })
export const colleaguePerson = (one: Colleague): Person => ({ id: --added, name: nameOf(one), title: '', kind: 'internal', userId: one.id })

interface RowProps {
  person: Person
  set: (fields: Partial<Person>) => void
  takeOut: () => void
}

/** An attendee in one line that unfolds to their fields. A name that was just written starts unfolded. */
function PersonRow({ person, set, takeOut }: RowProps) {
  const { name, title, kind, userId, id } = person
  const isOpen = useSignal(id < 0 && userId === null && title === '')
  return (
    <div class="meeting-person">
      <AttendeeFace of={person} size={32} />
      <span class="person">
        <bdi class="meeting-name">{name}</bdi>
        <span class="quiet small">
          {title && (
            <>
              <bdi>{title}</bdi>
              {t.comma}
            </>
          )}
          {t.kinds[kind]}
        </span>
      </span>
      <Button
        kind="plain"
        icon={isOpen.value ? 'chevron-up' : 'pencil'}
        aria-label={t.change(isolated(name))}
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.value
        }}
      />
      <Button kind="plain" icon="x" aria-label={t.takeOut(isolated(name))} onClick={takeOut} />
      {isOpen.value && (
        <div class="meeting-details">
          {!userId && (
            <TextField label={t.name} value={name} maxLength={200} onInput={(event) => set({ name: event.currentTarget.value })} />
          )}
          <TextField label={t.personTitle} value={title} maxLength={200} onInput={(event) => set({ title: event.currentTarget.value })} />
          <SelectField
            label={t.kind}
            value={kind}
            choices={(['internal', 'external', 'virtual'] as const).map((value) => ({ value, text: t.kinds[value] }))}
            choose={(chosen) => set({ kind: chosen })}
          />
        </div>
      )}
    </div>
  )
}

interface FieldProps {
  people: readonly Person[]
  change: (people: readonly Person[]) => void
}

/** The attendees in their order of precedence, which people set by hand; nothing sorts them. */
export function AttendeesField({ people, change }: FieldProps) {
  const set = (id: number, fields: Partial<Person>) => change(people.map((one) => (one.id === id ? { ...one, ...fields } : one)))
  const find = async (typed: string): Promise<Option[]> => {
    const found = await findColleagues(typed)
    return [...found.map((colleague) => ({ colleague })), { written: typed.trim() }]
  }
  return (
    <fieldset class="meeting-people">
      <legend>{t.attendees}</legend>
      <Combobox<Option>
        isField
        label={t.addPerson}
        placeholder={t.addPerson}
        find={find}
        id={(one) => ('colleague' in one ? one.colleague.id : 'written')}
        choose={(one) => change([...people, 'colleague' in one ? colleaguePerson(one.colleague) : writtenPerson(one.written)])}
        off={(one) => ('colleague' in one && people.some(({ userId }) => userId === one.colleague.id) ? t.inside : undefined)}
      >
        {(one) =>
          'colleague' in one ? (
            <PersonLine person={one.colleague} size={32} />
          ) : (
            <span class="meeting-written">
              <Icon name="plus" size={18} />
              <span>{t.asWritten(isolated(one.written))}</span>
            </span>
          )
        }
      </Combobox>
      {people.length === 0 ? (
        <p class="quiet small">{t.nobody}</p>
      ) : (
        <Ordered label={t.attendees} class="meeting-order" items={[...people]} nameOf={({ name }) => name} save={change}>
          {(person) => (
            <PersonRow
              person={person}
              set={(fields) => set(person.id, fields)}
              takeOut={() => change(people.filter(({ id }) => id !== person.id))}
            />
          )}
        </Ordered>
      )}
    </fieldset>
  )
}
