import type { ComponentChildren } from 'preact'
import { Picks, SearchPick } from '../../../parts/lists/filters/picks.tsx'
import { SearchField } from '../../../parts/lists/search-field.tsx'
import { matches } from '../../../platform/folded.ts'
import { firstOf, type Of, type Review } from '../data.ts'
import { t } from '../texts.ts'
import { grantOf } from './words.ts'

/** The most groups and roles that the filter offers. */
const OFFERED = 50

interface Option {
  of: Of
  kind: 'group' | 'role'
  name: string
}

interface FilterBarProps {
  review: Review
  of: Of | undefined
  q: string
  set: (filter: { of: Of | undefined; q: string | undefined }) => void
  clear: (() => void) | undefined
  children?: ComponentChildren
}

/** Narrows the items to a name, or to one group or role. */
export function FilterBar({ review: { id, groupIds, roleIds }, of, q, set, clear, children }: FilterBarProps) {
  const grants: Of[] = [...groupIds.map((groupId) => ({ groupId })), ...roleIds.map((roleId) => ({ roleId }))].slice(0, OFFERED)
  // Reviewers cannot read groups and roles themselves, but their items carry the names.
  const optionOf = async (one: Of): Promise<Option[]> => {
    const [item] = (await firstOf(id, one).load()).items
    return item ? [{ of: one, kind: item.kind, name: grantOf(item) }] : []
  }
  const find = async (typed: string) => (await Promise.all(grants.map(optionOf))).flat().filter(({ name }) => matches(typed, name))
  const chosen = of && firstOf(id, of).data?.items[0]
  return (
    <div class="reviews-filters">
      <SearchField label={t.find} value={q} change={(typed) => set({ of, q: typed || undefined })} />
      <Picks clear={clear}>
        {grants.length > 1 && (
          <SearchPick<Option>
            label={t.grant}
            all={t.allGrants}
            chosen={of && (chosen ? grantOf(chosen) : '')}
            find={find}
            id={({ of: { groupId, roleId } }) => `${groupId} ${roleId}`}
            choose={(one) => set({ of: one?.of, q: q || undefined })}
          >
            {({ kind, name }) => (
              <>
                <bdi class="grow">{name}</bdi>
                <span class="quiet small">{t[kind]}</span>
              </>
            )}
          </SearchPick>
        )}
        {children}
      </Picks>
    </div>
  )
}
