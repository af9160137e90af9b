import './style.css'
import type { TableColumn } from '../../../parts/lists/table/table.tsx'
import { addressDialog } from '../../../parts/overlay/address-dialog.ts'
import { Button } from '../../../parts/show/button.tsx'
import { Empty } from '../../../parts/show/empty.tsx'
import { Icon } from '../../../parts/show/icon.tsx'
import { at } from '../../../platform/router.ts'
import { Count } from '../shared/cells.tsx'
import { knownList } from '../shared/known-list.ts'
import { ListPage } from '../shared/list-page.tsx'
import { type Source, sources } from './data.ts'
import { NewSource } from './new-source.tsx'
import { LastCall } from './state.tsx'
import { t } from './texts.ts'

const columns = (): TableColumn<Source>[] => [
  {
    key: 'source',
    head: t.heads.source,
    width: 'minmax(10rem, 1.6fr)',
    cell: (source) => (
      <>
        <Icon name="link" size={22} />
        <a class="grid-link grid-line" href={at(`/admin/provisioning/${source.id}`)}>
          <bdi>{source.name}</bdi>
        </a>
        {!source.isActive && <span class="chip">{t.off}</span>}
        {source.heldAt && (
          <span class="chip" data-kind="danger">
            {t.held}
          </span>
        )}
      </>
    ),
  },
  {
    key: 'call',
    head: t.heads.call,
    from: 36,
    width: 'minmax(9rem, 1fr)',
    cell: (source) => (
      <span class="quiet grid-line">
        <LastCall of={source} isAlone />
      </span>
    ),
  },
  { key: 'people', head: t.heads.people, width: 'minmax(4.5rem, 0.5fr)', cell: ({ userCount }) => <Count of={userCount} /> },
  { key: 'groups', head: t.heads.groups, from: 48, width: 'minmax(4.5rem, 0.5fr)', cell: ({ groupCount }) => <Count of={groupCount} /> },
]

const adding = addressDialog('new')

/** All sources, with their last calls and the numbers of records that they manage. */
export function SourceList() {
  const open = () => adding.open(1)
  return (
    <ListPage<Source>
      title={t.title}
      purpose={t.purpose}
      lesson="admin/provisioning"
      list={knownList(sources, sources.data ?? [])}
      columns={columns()}
      name={({ name }) => name}
      failed={t.failed}
      create={{ text: t.create, run: open }}
      empty={
        <Empty icon="link" title={t.empty} act={<Button onClick={open}>{t.create}</Button>}>
          {t.emptyHint}
        </Empty>
      }
    >
      {adding.opened() && <NewSource close={() => adding.close()} />}
    </ListPage>
  )
}
