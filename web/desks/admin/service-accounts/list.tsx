import './style.css'
import { text } from '../../../parts/lists/filters/reading.ts'
import { useFilters } from '../../../parts/lists/filters/use-filters.ts'
import type { TableColumn } from '../../../parts/lists/table/table.tsx'
import { addressDialog } from '../../../parts/overlay/address-dialog.ts'
import { Button } from '../../../parts/show/button.tsx'
import { Empty } from '../../../parts/show/empty.tsx'
import { Icon } from '../../../parts/show/icon.tsx'
import { Key } from '../../../parts/show/lines.tsx'
import { titleOf as titleOfRole } from '../../../parts/show/title.ts'
import { matches } from '../../../platform/folded.ts'
import { listed } from '../../../platform/language.ts'
import { at } from '../../../platform/router.ts'
import { Count } from '../shared/cells.tsx'
import { roles } from '../shared/directory.ts'
import { knownList } from '../shared/known-list.ts'
import { ListPage } from '../shared/list-page.tsx'
import { type Account, accounts, titleOf } from './data.ts'
import { NewAccount } from './new-account.tsx'
import { t } from './texts.ts'

/** The titles of an account's roles. */
const rolesIn = ({ roleNames }: Account) =>
  listed(
    roleNames.map((name) => {
      const role = roles.data?.find((one) => one.name === name)
      return role ? titleOfRole(role) : name
    }),
  )

const columns = (): TableColumn<Account>[] => [
  {
    key: 'account',
    head: t.heads.account,
    width: 'minmax(10rem, 1.6fr)',
    cell: (account) => (
      <>
        <Icon name="bot" size={22} />
        <span class="programs-name">
          <a class="grid-link grid-line" href={at(`/admin/service-accounts/${account.id}`)}>
            <bdi>{titleOf(account)}</bdi>
          </a>
          {titleOf(account) !== account.username && <Key>{`@${account.username}`}</Key>}
        </span>
        {!account.isActive && <span class="chip">{t.off}</span>}
      </>
    ),
  },
  {
    key: 'roles',
    head: t.heads.roles,
    from: 36,
    width: 'minmax(8rem, 1.4fr)',
    cell: (account) => <span class={account.roleNames.length > 0 ? 'grid-line' : 'quiet'}>{rolesIn(account) || t.noRoles}</span>,
  },
  { key: 'tokens', head: t.heads.tokens, width: 'minmax(4.5rem, 0.5fr)', cell: ({ tokenCount }) => <Count of={tokenCount} /> },
]

const adding = addressDialog('new')

/** All service accounts, with their roles and the number of their tokens. */
export function AccountList() {
  const {
    values: { q = '' },
    set,
  } = useFilters({ q: text })
  const shown = (accounts.data ?? []).filter((one) => matches(q, one.username, one.nameAr, one.nameEn))
  const open = () => adding.open(1)
  return (
    <ListPage<Account>
      title={t.title}
      purpose={t.purpose}
      lesson="admin/service-accounts"
      list={knownList(accounts, shown)}
      columns={columns()}
      name={titleOf}
      failed={t.failed}
      create={{ text: t.create, run: open }}
      search={{ label: t.find, typed: q, find: (q) => set({ q }) }}
      nothing={q && t.nothing}
      empty={
        <Empty icon="bot" title={t.empty} act={<Button onClick={open}>{t.create}</Button>}>
          {t.emptyHint}
        </Empty>
      }
    >
      {adding.opened() && <NewAccount close={() => adding.close()} />}
    </ListPage>
  )
}
