import { useSignal } from '@preact/signals'
import { Pick, Picks, SearchPick } from '../../../parts/lists/filters/picks.tsx'
import { TitledLine } from '../../../parts/show/lines.tsx'
import { type Titled, titleOf } from '../../../parts/show/title.ts'
import { folded } from '../../../platform/folded.ts'
import { searchGroups } from '../shared/directory.ts'
import { SourcePick } from '../shared/source-pick.tsx'
import { type Filters, type orders, roles, seens } from './data.ts'
import { t } from './texts.ts'

type Values = Filters & { sort?: (typeof orders)[number] | undefined }

interface PeopleFiltersProps {
  values: Values
  set: (changed: Values) => void
  /** The group with this id, if the page knows it. */
  groupOf: (id: number) => Titled | undefined
}

const findRoles = async (typed: string) => {
  const sought = folded(typed).trim()
  return (await roles.load()).filter((role) =>
    folded(`${role.name} ${role.descriptionAr ?? ''} ${role.descriptionEn ?? ''}`).includes(sought),
  )
}

/** The filters and the order of the list. */
export function PeopleFilters({ values, set, groupOf }: PeopleFiltersProps) {
  const picked = useSignal<(Titled & { id: number }) | undefined>(undefined)
  const { status, group: groupId, role: roleName, seen, sort } = values
  const group = groupId && (picked.value?.id === groupId ? picked.value : groupOf(groupId))
  const role = roles.data?.find(({ name }) => name === roleName)
  return (
    <Picks>
      {values.source && <SourcePick id={values.source} clear={() => set({ source: undefined })} />}
      <Pick
        label={t.status}
        all={t.allStatuses}
        value={status}
        choices={[
          { value: 'active', text: t.active },
          { value: 'disabled', text: t.disabled },
        ]}
        choose={(status) => set({ status })}
      />
      <SearchPick
        label={t.group}
        all={t.allGroups}
        chosen={groupId ? (group ? titleOf(group) : t.group) : undefined}
        find={searchGroups}
        id={({ id }) => id}
        choose={(group) => {
          picked.value = group
          set({ group: group?.id })
        }}
      >
        {(group) => <TitledLine of={group} />}
      </SearchPick>
      <SearchPick
        label={t.role}
        all={t.allRoles}
        chosen={roleName && (role ? titleOf(role) : roleName)}
        find={findRoles}
        id={({ id }) => id}
        choose={(role) => set({ role: role?.name })}
      >
        {(role) => <TitledLine of={role} />}
      </SearchPick>
      <Pick
        label={t.seen}
        all={t.seen}
        value={seen}
        choices={seens.map((value) => ({ value, text: t.seens[value] }))}
        choose={(seen) => set({ seen })}
      />
      <Pick
        label={t.sort}
        all={t.byName}
        value={sort && sort in t.orders ? (sort as keyof typeof t.orders) : undefined}
        choices={(['-created', '-seen', 'seen'] as const).map((value) => ({ value, text: t.orders[value] }))}
        choose={(sort) => set({ sort })}
      />
    </Picks>
  )
}
