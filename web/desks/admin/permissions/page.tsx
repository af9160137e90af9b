import { Pick, Picks } from '../../../parts/lists/filters/picks.tsx'
import { oneOf, text } from '../../../parts/lists/filters/reading.ts'
import { useFilters } from '../../../parts/lists/filters/use-filters.ts'
import type { TableColumn } from '../../../parts/lists/table/table.tsx'
import { addressDialog } from '../../../parts/overlay/address-dialog.ts'
import { Empty } from '../../../parts/show/empty.tsx'
import { titleOf } from '../../../parts/show/title.ts'
import { matches } from '../../../platform/folded.ts'
import { language } from '../../../platform/language.ts'
import { Count, NameCell } from '../shared/cells.tsx'
import { type ListedPermission as Permission, permissions } from '../shared/directory.ts'
import { knownList } from '../shared/known-list.ts'
import { ListPage } from '../shared/list-page.tsx'
import { NewPermission } from './new-permission.tsx'
import { t } from './texts.ts'

const isUnused = ({ roleCount, appCount }: Permission) => roleCount + appCount === 0

const columns = (): TableColumn<Permission>[] => [
  {
    key: 'name',
    head: t.name,
    sort: 'ascending',
    width: 'minmax(0, 3fr)',
    cell: (permission) => (
      <>
        <NameCell of={permission} path={`/admin/permissions/${permission.id}`} own={permission.isSystem && t.system} />
        {isUnused(permission) && <span class="chip">{t.unused}</span>}
      </>
    ),
  },
  {
    key: 'roles',
    head: t.roles,
    from: 30,
    sort: 'descending',
    width: 'minmax(6rem, 1fr)',
    cell: ({ roleCount }) => <Count of={roleCount} />,
  },
  { key: 'apps', head: t.apps, from: 30, sort: 'descending', width: 'minmax(6rem, 1fr)', cell: ({ appCount }) => <Count of={appCount} /> },
]

const sorts = {
  name: (one: Permission, other: Permission) => titleOf(one).localeCompare(titleOf(other), language.value),
  roles: (one: Permission, other: Permission) => one.roleCount - other.roleCount,
  apps: (one: Permission, other: Permission) => one.appCount - other.appCount,
}

const adding = addressDialog('new')

/** All permissions, each with the numbers of roles that give it and of apps that require it. */
export default function PermissionsPage() {
  const {
    values: { q = '', sort = 'name', used },
    set,
  } = useFilters({ q: text, sort: oneOf('name', '-name', 'roles', '-roles', 'apps', '-apps'), used: oneOf('0') })
  const by = sorts[sort.replace('-', '') as keyof typeof sorts]
  const shown = (permissions.data ?? [])
    .filter((one) => matches(q, one.name, one.descriptionAr, one.descriptionEn) && (!used || isUnused(one)))
    .toSorted((one, other) => (sort.startsWith('-') ? by(other, one) : by(one, other)))
  return (
    <ListPage<Permission>
      title={t.title}
      purpose={t.purpose}
      lesson="admin/permissions"
      list={knownList(permissions, shown)}
      columns={columns()}
      name={titleOf}
      failed={t.failed}
      create={{ text: t.create, run: () => adding.open(1) }}
      search={{ label: t.find, typed: q, find: (q) => set({ q }) }}
      filters={
        <Picks>
          <Pick
            label={t.used}
            all={t.everyUse}
            value={used}
            choices={[{ value: '0' as const, text: t.unused }]}
            choose={(value) => set({ used: value })}
          />
        </Picks>
      }
      nothing={(q || used) && t.nothing}
      empty={<Empty icon="key-round" title={t.empty} />}
      sorting={{ by: sort, choose: (by) => set({ sort: by as typeof sort }) }}
    >
      {adding.opened() && <NewPermission close={() => adding.close()} />}
    </ListPage>
  )
}
