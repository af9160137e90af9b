import './style.css'
import { Pick, Picks } from '../../../parts/lists/filters/picks.tsx'
import { oneOf, text } from '../../../parts/lists/filters/reading.ts'
import { useFilters } from '../../../parts/lists/filters/use-filters.ts'
import type { TableColumn } from '../../../parts/lists/table/table.tsx'
import { addressDialog } from '../../../parts/overlay/address-dialog.ts'
import { Button } from '../../../parts/show/button.tsx'
import { Empty } from '../../../parts/show/empty.tsx'
import { titleOf } from '../../../parts/show/title.ts'
import { matches } from '../../../platform/folded.ts'
import { formatNumber, language } from '../../../platform/language.ts'
import { Count, NameCell } from '../shared/cells.tsx'
import { permissions, type Role, roles } from '../shared/directory.ts'
import { knownList } from '../shared/known-list.ts'
import { ListPage } from '../shared/list-page.tsx'
import { NewRole } from '../shared/role/new-role.tsx'
import { t } from './texts.ts'

/** The most permissions that a row names. */
const NAMED = 4

function Granted({ ids }: { ids: readonly number[] }) {
  const known = permissions.data ?? []
  const rest = ids.length - NAMED
  return (
    <span class="roles-granted">
      {ids.slice(0, NAMED).map((id) => {
        const found = known.find((permission) => permission.id === id)
        return (
          found && (
            <bdi key={id} class="chip">
              {titleOf(found)}
            </bdi>
          )
        )
      })}
      {rest > 0 && <span class="chip">{t.more(formatNumber(rest))}</span>}
    </span>
  )
}

const columns = (): TableColumn<Role>[] => [
  {
    key: 'name',
    head: t.name,
    sort: 'ascending',
    width: 'minmax(0, 2fr)',
    cell: (role) => <NameCell of={role} path={`/admin/roles/${role.id}`} />,
  },
  {
    key: 'holders',
    head: t.holders,
    sort: 'descending',
    width: 'minmax(4.5rem, 0.6fr)',
    cell: ({ userCount }) => <Count of={userCount} />,
  },
  { key: 'groups', head: t.groups, from: 21, width: 'minmax(5.75rem, 0.6fr)', cell: ({ groupCount }) => <Count of={groupCount} /> },
  {
    key: 'permissions',
    head: t.permissions,
    from: 48,
    width: 'minmax(0, 3fr)',
    cell: ({ permissionIds }) => <Granted ids={permissionIds} />,
  },
]

const sorts = {
  name: (one: Role, other: Role) => titleOf(one).localeCompare(titleOf(other), language.value),
  holders: (one: Role, other: Role) => one.userCount - other.userCount,
}

const adding = addressDialog('new')

/** All roles: the roles that administrators created, with their holders, and the portal's own roles. */
export default function RolesPage() {
  const {
    values: { q = '', sort = 'name', held },
    set,
  } = useFilters({ q: text, sort: oneOf('name', '-name', 'holders', '-holders'), held: oneOf('0') })
  const open = () => adding.open(1)
  const shown = (roles.data ?? []).filter(
    ({ name, descriptionAr, descriptionEn, userCount, groupCount }) =>
      matches(q, name, descriptionAr, descriptionEn) && (!held || userCount + groupCount === 0),
  )
  const by = sorts[sort.replace('-', '') as keyof typeof sorts]
  const own = shown.filter(({ isSystem }) => !isSystem).toSorted((one, other) => (sort.startsWith('-') ? by(other, one) : by(one, other)))
  const fixed = shown.filter(({ isSystem }) => isSystem)
  const isNarrowed = q !== '' || held !== undefined
  return (
    <ListPage<Role>
      title={t.title}
      purpose={t.purpose}
      lesson="admin/roles"
      list={knownList(roles, own)}
      columns={columns()}
      name={titleOf}
      failed={t.failed}
      create={{ text: t.create, run: open }}
      search={{ label: t.find, typed: q, find: (q) => set({ q }) }}
      filters={
        <Picks>
          <Pick
            label={t.held}
            all={t.everyHeld}
            value={held}
            choices={[{ value: '0' as const, text: t.notHeld }]}
            choose={(value) => set({ held: value })}
          />
        </Picks>
      }
      nothing={isNarrowed && t.nothing}
      empty={
        <Empty icon="key-round" title={t.empty} act={<Button onClick={open}>{t.create}</Button>}>
          {t.emptyHint}
        </Empty>
      }
      sorting={{ by: sort, choose: (by) => set({ sort: by as typeof sort }) }}
      isFoundBelow={isNarrowed && fixed.length > 0}
    >
      {fixed.length > 0 && (
        <section class="roles-own">
          <h2>{t.own}</h2>
          <ul class="card">
            {fixed.map((role) => (
              <li key={role.id}>
                <NameCell of={role} path={`/admin/roles/${role.id}`} />
                <span class="quiet small">{t.system[role.name as keyof typeof t.system]}</span>
                <Count of={role.userCount} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {adding.opened() && <NewRole close={() => adding.close()} />}
    </ListPage>
  )
}
