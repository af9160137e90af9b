import type { FormState } from '../../../../parts/forms/form/use-form.ts'
import { listedOf } from '../../../../parts/lists/set-editor/props.ts'
import { SetEditor } from '../../../../parts/lists/set-editor/set-editor.tsx'
import { AppLine, PersonLine, TitledLine } from '../../../../parts/show/lines.tsx'
import { Loaded } from '../../../../parts/show/skeleton.tsx'
import { titleOf } from '../../../../parts/show/title.ts'
import { isolated, named, nameOf } from '../../../../platform/language.ts'
import { apps, type Person, resolvePeople, roles, searchPeople } from '../directory.ts'
import { KnownSet } from '../known-set.tsx'
import { useListed } from '../listed.ts'
import { type Group, membersOf, type Values } from './data.ts'
import { managersOf, sourceOf } from './managers.ts'
import { t } from './texts.ts'

/** The key of the group of all accounts. */
const EVERYONE = 'Everyone'

type Sets = Pick<Group, 'id' | 'name' | 'isSystem' | 'userIds' | 'roleIds' | 'appIds' | 'memberEnds'>

interface SetsProps {
  form: FormState<Values>
  /** The saved group; `emptySets` for a new one. */
  group: Sets
}

export const emptySets: Sets = { id: 0, name: '', isSystem: false, userIds: [], roleIds: [], appIds: [], memberEnds: [] }

/** The ends of memberships, by person. */
export const endsOf = ({ memberEnds }: Pick<Group, 'memberEnds'>) => new Map(memberEnds.map(({ userId, expiresAt }) => [userId, expiresAt]))

export function Members({ form, group }: SetsProps) {
  const { id, userIds, isSystem, name } = group
  const inside = new Set(userIds)
  const ends = endsOf(group)
  const { manager } = managersOf(id)
  const source = sourceOf(id)
  return (
    <SetEditor<Person>
      label={t.sets.members}
      addLabel={t.addMembers}
      addHint={t.addMembersHint}
      id={(person) => person.id}
      name={nameOf}
      search={searchPeople}
      resolve={resolvePeople}
      locked={
        isSystem && name === EVERYONE ? t.everyone : source ? t.provisioned(isolated(source.name)) : manager && t.managed(named(manager))
      }
      list={(typed) =>
        id === 0 ? listedOf<Person>([], typed, () => []) : useListed(`${id} ${typed}`, (offset) => membersOf(id, typed, offset))
      }
      count={inside.size}
      isIn={(person) => inside.has(person.id)}
      {...(id > 0 && !isSystem && { ends: { now: (person: Person) => ends.get(person.id) ?? null } })}
      staged={form.values.members}
      change={(staged) => form.set('members', staged)}
    >
      {(person) => <PersonLine person={person} />}
    </SetEditor>
  )
}

export const Roles = ({ form, group }: SetsProps) => (
  <Loaded of={roles}>
    {(all) => (
      <KnownSet
        label={t.sets.roles}
        addLabel={t.addRoles}
        all={all}
        ids={group.roleIds}
        name={titleOf}
        textsOf={({ name, descriptionAr, descriptionEn }) => [name, descriptionAr, descriptionEn]}
        staged={form.values.roles}
        change={(staged) => form.set('roles', staged)}
      >
        {(role) => <TitledLine of={role} />}
      </KnownSet>
    )}
  </Loaded>
)

/** The apps that a group shows. */
export const Apps = ({ form, group }: SetsProps) => (
  <Loaded of={apps}>
    {(all) => (
      <KnownSet
        label={t.sets.apps}
        addLabel={t.addApps}
        all={all}
        ids={group.appIds}
        name={named}
        textsOf={({ slug, nameAr, nameEn }) => [slug, nameAr, nameEn]}
        staged={form.values.apps}
        change={(staged) => form.set('apps', staged)}
      >
        {(app) => <AppLine app={app} />}
      </KnownSet>
    )}
  </Loaded>
)
