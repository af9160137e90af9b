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
import { type Webhook, webhooks } from './data.ts'
import { NewWebhook } from './new-webhook.tsx'
import { StateChip } from './state.tsx'
import { t } from './texts.ts'

const columns = (): TableColumn<Webhook>[] => [
  {
    key: 'webhook',
    head: t.heads.webhook,
    width: 'minmax(9rem, 1.4fr)',
    cell: ({ id, name }) => (
      <>
        <Icon name="send" size={22} />
        <a class="grid-link grid-line" href={at(`/admin/webhooks/${id}`)}>
          <bdi>{name}</bdi>
        </a>
      </>
    ),
  },
  {
    key: 'address',
    head: t.heads.address,
    from: 48,
    width: 'minmax(9rem, 1.4fr)',
    cell: ({ url }) => (
      <span class="quiet grid-line">
        <bdi dir="ltr">{new URL(url).host}</bdi>
      </span>
    ),
  },
  { key: 'state', head: t.heads.state, width: 'minmax(5.5rem, 0.6fr)', cell: (webhook) => <StateChip of={webhook} /> },
  { key: 'behind', head: t.heads.behind, from: 36, width: 'minmax(4.5rem, 0.5fr)', cell: ({ behind }) => <Count of={behind} /> },
]

const adding = addressDialog('new')

export function WebhookList() {
  const open = () => adding.open(1)
  return (
    <ListPage<Webhook>
      title={t.title}
      purpose={t.purpose}
      lesson="admin/webhooks"
      list={knownList(webhooks, webhooks.data ?? [])}
      columns={columns()}
      name={({ name }) => name}
      failed={t.failed}
      create={{ text: t.create, run: open }}
      empty={
        <Empty icon="send" title={t.empty} act={<Button onClick={open}>{t.create}</Button>}>
          {t.emptyHint}
        </Empty>
      }
    >
      <NewWebhook isOpen={adding.opened() !== ''} close={() => adding.close()} />
    </ListPage>
  )
}
