import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { SearchField } from '../../../parts/lists/search-field.tsx'
import { EndChip } from '../../../parts/show/ends/end-chip.tsx'
import { PersonLine, TitledLine } from '../../../parts/show/lines.tsx'
import type { Schemas } from '../../../platform/client.ts'
import { at, queryValue, setQuery } from '../../../platform/router.ts'
import { groupTitle } from '../shared/directory.ts'
import { PagesOf } from '../shared/pages-of.tsx'
import { groupsOf, holdersOf } from '../shared/role/data.ts'
import { t } from './texts.ts'

const PAUSE_MS = 150

/** The ways in which a person has the role, directly or through groups, each with its end. */
function Ways({ from }: { from: readonly Schemas['RoleSource'][] }) {
  return (
    <span class="quiet small role-ways">
      {from.map(({ via, groupId, groupName, expiresAt }) => (
        <span key={groupId ?? via}>
          {via === 'group' && groupId && groupName ? (
            <a href={at(`/admin/groups/${groupId}`)}>{t.through(groupTitle({ groupId, groupName }))}</a>
          ) : (
            t.direct
          )}{' '}
          <EndChip at={expiresAt} />
        </span>
      ))}
    </span>
  )
}

/** The people who have a role, each with its sources, and the groups that give it. */
export function Holders({ id }: { id: number }) {
  const typed = useSignal(queryValue('q'))
  useEffect(() => {
    const timer = setTimeout(() => setQuery({ q: typed.value.trim() }), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed.value])
  const q = queryValue('q')
  return (
    <div class="role-holders">
      <section>
        <h2>{t.groups}</h2>
        <div class="card">
          <PagesOf of={(offset) => groupsOf(id, offset)} id={(group) => group.id} empty={t.noGroups}>
            {(group) => (
              <a href={at(`/admin/groups/${group.id}`)}>
                <TitledLine of={group} />
              </a>
            )}
          </PagesOf>
        </div>
      </section>
      <section>
        <h2>{t.people}</h2>
        <SearchField
          label={t.find}
          value={typed.value}
          change={(value) => {
            typed.value = value
          }}
        />
        <div class="card">
          <PagesOf key={q} of={(offset) => holdersOf(id, q, offset)} id={({ user }) => user.id} empty={q ? t.nobodyFound : t.nobody}>
            {({ user, isActive, from }) => (
              <>
                <a href={at(`/admin/users/${user.id}`)}>
                  <PersonLine person={user} />
                </a>
                {!isActive && <span class="chip">{t.disabled}</span>}
                <Ways from={from} />
              </>
            )}
          </PagesOf>
        </div>
      </section>
    </div>
  )
}
