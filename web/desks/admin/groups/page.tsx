import './style.css'
import { id, oneOf, text } from '../../../parts/lists/filters/reading.ts'
import { useFilters } from '../../../parts/lists/filters/use-filters.ts'
import type { TableColumn } from '../../../parts/lists/table/table.tsx'
import { addressDialog } from '../../../parts/overlay/address-dialog.ts'
import { Button } from '../../../parts/show/button.tsx'
import { Empty } from '../../../parts/show/empty.tsx'
import { titleOf } from '../../../parts/show/title.ts'
import type { Schemas } from '../../../platform/client.ts'
import { useList } from '../../../platform/list.ts'
import { Count, NameCell } from '../shared/cells.tsx'
import { ListPage } from '../shared/list-page.tsx'
import { SourcePick } from '../shared/source-pick.tsx'
import { NewGroup } from './new-group.tsx'
import { t } from './texts.ts'

type Group = Schemas['Group']

const columns = (): TableColumn<Group>[] => [
  {
    key: 'name',
    head: t.name,
    sort: 'ascending',
    width: 'minmax(0, 3fr)',
    cell: (group) => <NameCell of={group} path={`/admin/groups/${group.id}`} own={group.isSystem && t.system} />,
  },
  {
    key: 'members',
    head: t.members,
    sort: 'descending',
    width: 'minmax(5rem, 1fr)',
    cell: ({ memberCount }) => <Count of={memberCount} />,
  },
  { key: 'roles', head: t.roles, from: 30, width: 'minmax(5rem, 1fr)', cell: ({ roleCount }) => <Count of={roleCount} /> },
  { key: 'apps', head: t.apps, from: 30, width: 'minmax(5rem, 1fr)', cell: ({ appCount }) => <Count of={appCount} /> },
]

const adding = addressDialog('new')

/** All groups, with the number of their members, roles and apps. */
export default function GroupsPage() {
  const {
    values: { q, source, sort },
    set,
  } = useFilters({ q: text, source: id, sort: oneOf('name', '-name', 'members', '-members') })
  const [by, order] = sort?.startsWith('-') ? ([sort.slice(1), 'desc'] as const) : ([sort, 'asc'] as const)
  const list = useList('/groups', {
    ...(q && { q }),
    ...(source && { sourceId: source }),
    ...(by && { sort: by as 'name' | 'members', order }),
  })
  const open = () => adding.open(1)
  const empty = (
    <Empty icon="users" title={t.empty} act={<Button onClick={open}>{t.first}</Button>}>
      {t.emptyHint}
    </Empty>
  )
  /** The group of all accounts always exists. */
  const isUnused = !q && !source && list.total === 1 && list.at(0)?.isSystem
  return (
    <ListPage<Group>
      title={t.title}
      purpose={t.purpose}
      lesson="admin/groups"
      list={list}
      columns={columns()}
      name={titleOf}
      failed={t.failed}
      create={{ text: t.create, run: open }}
      search={{ label: t.find, typed: q ?? '', find: (q) => set({ q }) }}
      filters={source && <SourcePick id={source} clear={() => set({ source: undefined })} />}
      nothing={Boolean(q || source) && t.nothing}
      empty={empty}
      sorting={{ by: sort, choose: (by) => set({ sort: by as typeof sort }) }}
    >
      {isUnused && empty}
      {adding.opened() && <NewGroup close={() => adding.close()} />}
    </ListPage>
  )
}
