import { useTitle } from '../../../frame/site.ts'
import { useShortcuts } from '../../../frame/use-shortcuts.ts'
import { Pick, Picks } from '../../../parts/lists/filters/picks.tsx'
import { oneOf, text } from '../../../parts/lists/filters/reading.ts'
import { useFilters } from '../../../parts/lists/filters/use-filters.ts'
import { SearchField } from '../../../parts/lists/search-field.tsx'
import { Table, type TableColumn, tableKeys } from '../../../parts/lists/table/table.tsx'
import { addressDialog } from '../../../parts/overlay/address-dialog.ts'
import { Hint } from '../../../parts/overlay/hint.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { Empty } from '../../../parts/show/empty.tsx'
import { titleOf } from '../../../parts/show/title.ts'
import { matches } from '../../../platform/folded.ts'
import { language } from '../../../platform/language.ts'
import { Count, NameCell } from '../shared/cells.tsx'
import { type ListedPermission as Permission, permissions } from '../shared/directory.ts'
import { Head } from '../shared/head.tsx'
import { knownList } from '../shared/known-list.ts'
import { useTyping } from '../shared/typing.ts'
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
  useTitle(t.title)
  useShortcuts(tableKeys)
  const {
    values: { q = '', sort = 'name', used },
    set,
  } = useFilters({ q: text, sort: oneOf('name', '-name', 'roles', '-roles', 'apps', '-apps'), used: oneOf('0') })
  const search = useTyping(q, (typed) => set({ q: typed || undefined }))
  const open = () => adding.open(1)
  const by = sorts[sort.replace('-', '') as keyof typeof sorts]
  const shown = (permissions.data ?? [])
    .filter((one) => matches(q, one.name, one.descriptionAr, one.descriptionEn) && (!used || isUnused(one)))
    .toSorted((one, other) => (sort.startsWith('-') ? by(other, one) : by(one, other)))
  return (
    <>
      <Head
        title={t.title}
        aside={
          <Button kind="main" icon="plus" onClick={open}>
            {t.create}
          </Button>
        }
      />
      <Hint of="admin/permissions">{t.purpose}</Hint>
      <div class="list-head">
        <SearchField label={t.find} {...search} />
        <Picks>
          <Pick
            label={t.used}
            all={t.everyUse}
            value={used}
            choices={[{ value: '0' as const, text: t.unused }]}
            choose={(value) => set({ used: value })}
          />
        </Picks>
      </div>
      <Table<Permission>
        label={t.title}
        list={knownList(permissions, shown)}
        columns={columns()}
        id={({ id }) => id}
        name={titleOf}
        sorting={sort}
        sort={(next) => set({ sort: next === 'name' ? undefined : (next as '-name') })}
        failed={t.failed}
      >
        <Empty icon={q || used ? 'search' : 'key-round'} title={q || used ? t.nothing : t.empty} />
      </Table>
      {adding.opened() && <NewPermission close={() => adding.close()} />}
    </>
  )
}
