import { EndChip } from '../../../parts/show/ends/end-chip.tsx'
import { Key } from '../../../parts/show/lines.tsx'
import { Sentence } from '../../../parts/show/log/sentence.tsx'
import { Moment } from '../../../parts/show/moment.tsx'
import { titleOf } from '../../../parts/show/title.ts'
import { at, setQuery } from '../../../platform/router.ts'
import { PutBack } from '../shared/put-back.tsx'
import { changesOf, directRolesOf, listedOf, type Profile } from './data.ts'
import { endsOf } from './ends.ts'
import { Manager } from './manager.tsx'
import { t } from './texts.ts'

const EVERYONE = 'Everyone'

/** The groups, roles and records of a person, and the latest change. */
export function Aside({ person, change }: { person: Profile; change: (what: 'groups' | 'roles') => void }) {
  const owned = listedOf(person.id).data?.[0]
  const direct = directRolesOf(person)
  const ends = endsOf(person)
  const [last] = changesOf(person.id, 0, 1).data?.entries ?? []
  const head = (text: string, what: 'groups' | 'roles') => (
    <div class="user-head">
      <h2>{text}</h2>
      <button type="button" class="link" aria-label={`${t.change}: ${text}`} onClick={() => change(what)}>
        {t.change}
      </button>
    </div>
  )
  return (
    <aside class="user-aside">
      <section>
        {head(t.groups, 'groups')}
        {person.groups.length === 0 && <p class="quiet">{t.noGroups}</p>}
        <ul>
          {person.groups.map((group) => (
            <li key={group.id}>
              <a class="grow" href={at(`/admin/groups/${group.id}`)}>
                <bdi>{titleOf(group)}</bdi>
              </a>
              <EndChip at={ends.groups.get(group.id)} />
              {group.name === EVERYONE && <span class="quiet small">{t.everyone}</span>}
            </li>
          ))}
        </ul>
      </section>
      <section>
        {head(t.roles, 'roles')}
        {person.roleIds.length === 0 && <p class="quiet">{t.noRoles}</p>}
        <ul>
          {direct.map((role) => (
            <li key={role.id}>
              <a class="grow" href={at(`/admin/roles/${role.id}`)}>
                <bdi>{titleOf(role)}</bdi>
              </a>
              <EndChip at={ends.roles.get(role.id)} />
              {titleOf(role) !== role.name && <Key>{role.name}</Key>}
            </li>
          ))}
        </ul>
      </section>
      <Manager person={person} />
      {owned && (
        <section>
          <h2>{t.owns}</h2>
          <ul>
            <li>
              {owned.orderCount > 0 ? (
                <button type="button" class="link" onClick={() => setQuery({ tab: 'orders' })}>
                  {t.orders(owned.orderCount)}
                </button>
              ) : (
                t.orders(0)
              )}
            </li>
            <li>
              <span class="grow">{t.notes(owned.noteCount)}</span>
              <span class="quiet small">{t.unread}</span>
            </li>
          </ul>
        </section>
      )}
      <section>
        <div class="user-head">
          <h2>{t.last}</h2>
          <button type="button" class="link" onClick={() => setQuery({ tab: 'history' })}>
            {t.whole}
          </button>
        </div>
        {last && (
          <div class="user-last small">
            <p>
              <Sentence entry={last} />{' '}
              <span class="quiet">
                <Moment at={last.createdAt} />
              </span>
            </p>
            <PutBack entry={last} />
          </div>
        )}
      </section>
    </aside>
  )
}
