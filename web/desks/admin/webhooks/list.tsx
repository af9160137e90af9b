import './style.css'
import { useTitle } from '../../../frame/site.ts'
import { useShortcuts } from '../../../frame/use-shortcuts.ts'
import { Table, type TableColumn, tableKeys } from '../../../parts/lists/table/table.tsx'
import { addressDialog } from '../../../parts/overlay/address-dialog.ts'
import { Hint } from '../../../parts/overlay/hint.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { Empty } from '../../../parts/show/empty.tsx'
import { Icon } from '../../../parts/show/icon.tsx'
import { at } from '../../../platform/router.ts'
import { Count } from '../shared/cells.tsx'
import { Head } from '../shared/head.tsx'
import { knownList } from '../shared/known-list.ts'
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
  useTitle(t.title)
  useShortcuts(tableKeys)
  const open = () => adding.open(1)
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
      <Hint of="admin/webhooks">{t.purpose}</Hint>
      <Table<Webhook>
        label={t.title}
        list={knownList(webhooks, webhooks.data ?? [])}
        columns={columns()}
        id={({ id }) => id}
        name={({ name }) => name}
        failed={t.failed}
      >
        <Empty icon="send" title={t.empty} act={<Button onClick={open}>{t.create}</Button>}>
          {t.emptyHint}
        </Empty>
      </Table>
      <NewWebhook isOpen={adding.opened() !== ''} close={() => adding.close()} />
    </>
  )
}
