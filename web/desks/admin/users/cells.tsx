/** The cells of a person's row in the list. */

import { Menu, type MenuItem } from '../../../parts/overlay/menu.tsx'
import { Avatar } from '../../../parts/show/avatar.tsx'
import { Icon } from '../../../parts/show/icon.tsx'
import { Marked } from '../../../parts/show/marked.tsx'
import { titleOf } from '../../../parts/show/title.ts'
import { formatNumber, nameOf } from '../../../platform/language.ts'
import { at } from '../../../platform/router.ts'
import { me } from '../../../platform/session.ts'
import { type Asked, activate } from '../shared/person-acts/dialog.tsx'
import { Seen } from '../shared/person-acts/seen.tsx'
import { type Person, roles } from './data.ts'
import { t } from './texts.ts'

const SHOWN = 2
/** The group and the role that everyone has. They do not tell people apart, so they are not shown. */
const [EVERYONE, USER] = ['Everyone', 'user']

/** The names that fit, and the number of further names. */
function Few({ names }: { names: string[] }) {
  const rest = names.length - SHOWN
  return (
    <span class="grid-line users-few">
      {names.slice(0, SHOWN).map((name, index) => (
        <span key={name}>
          {index > 0 && t.between}
          <bdi>{name}</bdi>
        </span>
      ))}
      {rest > 0 && <span class="numbers"> +{formatNumber(rest)}</span>}
    </span>
  )
}

const groupsOf = ({ groups }: Person) => groups.filter(({ name }) => name !== EVERYONE).map(titleOf)

export const GroupsCell = ({ person }: { person: Person }) => <Few names={groupsOf(person)} />

export function RolesCell({ person }: { person: Person }) {
  const known = new Map(roles.data?.map((role) => [role.name, role]))
  return (
    <Few
      names={person.roles
        .filter((name) => name !== USER)
        .map((name) => {
          const role = known.get(name)
          return role ? titleOf(role) : name
        })}
    />
  )
}

/** `isGone`: the person is no longer in the list. */
export function PersonCell({ person, typed, isGone }: { person: Person; typed: string; isGone: boolean }) {
  const [group] = groupsOf(person)
  return (
    <>
      <Avatar person={person} />
      <span class="users-who">
        <span class="users-name">
          <a class="grid-link grid-line" href={at(`/admin/users/${person.id}`)} data-off={person.isActive ? undefined : ''}>
            <Marked text={nameOf(person)} typed={typed} />
          </a>
          {person.roles.includes('admin') && (
            <span class="users-shield" role="img" aria-label={t.administrator} title={t.administrator}>
              <Icon name="shield" size={16} />
            </span>
          )}
          {isGone && <span class="chip">{t.changed}</span>}
          {!person.isActive && (
            <span class="chip" data-kind="warn">
              {t.disabled}
            </span>
          )}
          {person.invitation === 'pending' && (
            <span class="chip" data-kind="blue">
              {t.pending}
            </span>
          )}
        </span>
        <span class="grid-line key users-key" dir="ltr">
          @<Marked text={person.username} typed={typed} />
        </span>
        <span class="grid-line users-under">
          {group && (
            <>
              <bdi>{group}</bdi>
              {t.between}
            </>
          )}
          <Seen at={person.lastSeenAt} />
        </span>
      </span>
    </>
  )
}

interface RowMenuProps {
  person: Person
  ask: (asked: Asked) => void
  join: (person: Person) => void
}

export function RowMenu({ person, ask, join }: RowMenuProps) {
  const isOwn = person.id === me.value?.id
  const items: (MenuItem | false)[] = [
    { text: t.open, icon: 'user', href: at(`/admin/users/${person.id}`) },
    { text: t.resetLink, icon: 'key-round', run: () => ask({ act: 'link', person }) },
    { text: t.toGroup, icon: 'users', run: () => join(person) },
    !isOwn &&
      (person.isActive
        ? { text: t.deactivate, icon: 'lock', apart: true, run: () => ask({ act: 'deactivate', person }) }
        : { text: t.activate, icon: 'check', apart: true, run: () => activate(person) }),
    !isOwn && { text: t.remove, icon: 'trash-2', run: () => ask({ act: 'remove', person, owned: person }) },
  ]
  return (
    <Menu
      label={t.actsOn(nameOf(person))}
      face={<Icon name="ellipsis-vertical" size={18} />}
      items={items.filter((one) => one !== false)}
    />
  )
}
