import type { ComponentChildren } from 'preact'
import { Icon } from '../../parts/show/icon.tsx'
import { TitledLine } from '../../parts/show/lines.tsx'
import { titleOf } from '../../parts/show/title.ts'
import { isolated, listed, named, nameOf } from '../../platform/language.ts'
import { me } from '../../platform/session.ts'
import { Apps } from './apps.tsx'
import type { AccessRequest } from './data.ts'
import { t } from './decide-texts.ts'
import { type Change, changesSince, type Thing } from './since.ts'

/** The apps, roles and permissions that the requester would gain. */
export function Gains({ gains: { apps, roles, permissions } }: { gains: NonNullable<AccessRequest['gains']> }) {
  const part = (title: string, count: number, list: ComponentChildren) =>
    count > 0 && (
      <div>
        <dt class="quiet small">{title}</dt>
        <dd>{list}</dd>
      </div>
    )
  const titled = (some: typeof roles) => (
    <ul class="my-access-titled">
      {some.map((one) => (
        <li key={one.id}>
          <TitledLine of={one} />
        </li>
      ))}
    </ul>
  )
  return (
    <section class="card my-access-gains" aria-labelledby="gains">
      <h2 id="gains">{t.gains}</h2>
      {apps.length + roles.length + permissions.length === 0 ? (
        <p>{t.gainsNothing}</p>
      ) : (
        <dl>
          {part(t.apps, apps.length, <Apps label={t.apps} all={apps} />)}
          {part(t.roles, roles.length, titled(roles))}
          {part(t.permissions, permissions.length, titled(permissions))}
        </dl>
      )}
    </section>
  )
}

const thingIn = (thing: Thing) => isolated('nameAr' in thing ? named(thing) : titleOf(thing))

function sentenceOf({ kind, person, needed, things = [] }: Change) {
  if (kind === 'approved') return t.changes.approved(person ? isolated(nameOf(person)) : '')
  if (kind === 'needs') return t.changes.needs(needed ?? 0)
  return t.changes[kind](listed(things.map(thingIn)))
}

/** The changes of a request since the person opened it. */
export function Since({ before, now }: { before: AccessRequest; now: AccessRequest }) {
  const changes = changesSince(before, now, me.value?.id)
  if (changes.length === 0) return null
  return (
    <div class="my-access-since" role="status">
      <Icon name="triangle-alert" size={18} />
      <div>
        <p>{t.since}</p>
        <ul>
          {changes.map((change) => (
            <li key={`${change.kind} ${change.person?.id ?? ''}`}>{sentenceOf(change)}</li>
          ))}
        </ul>
      </div>
    </div>
  )
}
