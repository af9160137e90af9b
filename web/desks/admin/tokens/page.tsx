import './style.css'
import { useSignal } from '@preact/signals'
import { useTitle } from '../../../frame/site.ts'
import { useShortcuts } from '../../../frame/use-shortcuts.ts'
import { useClosing, useSaving } from '../../../parts/forms/saving.ts'
import { NothingFits } from '../../../parts/lists/filters/nothing-fits.tsx'
import { Pick, Picks, SearchPick } from '../../../parts/lists/filters/picks.tsx'
import { id, oneOf } from '../../../parts/lists/filters/reading.ts'
import { useFilters } from '../../../parts/lists/filters/use-filters.ts'
import { Table, type TableColumn, tableKeys } from '../../../parts/lists/table/table.tsx'
import { Dialog } from '../../../parts/overlay/dialog.tsx'
import { Hint } from '../../../parts/overlay/hint.tsx'
import { Menu } from '../../../parts/overlay/menu.tsx'
import { say } from '../../../parts/overlay/toasts.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { Empty } from '../../../parts/show/empty.tsx'
import { EndChip } from '../../../parts/show/ends/end-chip.tsx'
import { Icon } from '../../../parts/show/icon.tsx'
import { PersonLine } from '../../../parts/show/lines.tsx'
import { inWords } from '../../../parts/show/tokens/scopes.ts'
import { t as words } from '../../../parts/show/tokens/texts.ts'
import { LastUse } from '../../../parts/show/tokens/tokens.tsx'
import { isWide } from '../../../parts/show/wide.ts'
import { resource } from '../../../platform/cache.ts'
import { isolated, nameOf } from '../../../platform/language.ts'
import { useList } from '../../../platform/list.ts'
import { at } from '../../../platform/router.ts'
import { type Person, searchPeople } from '../shared/directory.ts'
import { endingSoon, type OwnedToken, revokeToken } from './data.ts'
import { t } from './texts.ts'

const idOf = (token: OwnedToken) => token.id
const spans = ['7', '14', '30', '90'] as const
const kinds = { ends: oneOf(...spans), user: id }

const pageOf = ({ owner: { id, kind, sourceId } }: OwnedToken) =>
  sourceId ? `/admin/provisioning/${sourceId}` : `/admin/${kind === 'service' ? 'service-accounts' : 'users'}/${id}`

/** The owner of a token, marked if it is a service account. */
const Owner = ({ of: { owner } }: { of: OwnedToken }) => (
  <span class="tokens-all-owner">
    {owner.kind === 'service' && (
      <span class="quiet" role="img" aria-label={t.service} title={t.service}>
        <Icon name="bot" size={16} />
      </span>
    )}
    <bdi class="grid-line">{nameOf(owner)}</bdi>
  </span>
)

const columnsOf = (end: (token: OwnedToken) => void): TableColumn<OwnedToken>[] => [
  {
    key: 'token',
    head: t.heads.token,
    width: 'minmax(10rem, 2.4fr)',
    cell: (token) => (
      <span class="tokens-all-token">
        <a class="grid-link grid-line" href={at(pageOf(token))}>
          <bdi>{token.name}</bdi>
        </a>
        <span class="tokens-all-narrow small">
          <Owner of={token} />
        </span>
        <span class="tokens-all-scopes quiet small" title={inWords(token.scopes)}>
          {inWords(token.scopes)}
        </span>
        <span class="tokens-all-narrow quiet small">
          <LastUse of={token} />
        </span>
        <span class="tokens-all-narrow">
          <EndChip at={token.expiresAt} />
        </span>
      </span>
    ),
  },
  { key: 'owner', head: t.heads.owner, from: 40, width: 'minmax(8rem, 1.2fr)', cell: (token) => <Owner of={token} /> },
  {
    key: 'used',
    head: t.heads.used,
    from: 52,
    width: 'minmax(8rem, 1.2fr)',
    cell: (token) => (
      <span class="quiet small">
        <LastUse of={token} />
      </span>
    ),
  },
  { key: 'ends', head: t.heads.ends, from: 40, width: 'minmax(7rem, 0.9fr)', cell: ({ expiresAt }) => <EndChip at={expiresAt} /> },
  {
    key: 'acts',
    head: words.revoke,
    isUnnamed: true,
    width: '3rem',
    cell: (token) => (
      <Menu
        label={t.acts(isolated(token.name))}
        face={<Icon name="ellipsis" />}
        items={[{ text: words.revoke, icon: 'x', run: () => end(token) }]}
      />
    ),
  },
]

function Ending({ token, close }: { token: OwnedToken; close: () => void }) {
  const closing = useClosing(close)
  const saving = useSaving(async () => {
    await revokeToken(token.id)
    say({ text: words.revoked(isolated(token.name)) })
    closing()
  })
  return (
    <Dialog
      title={t.endTitle(isolated(token.name))}
      close={close}
      end={
        <>
          <Button onClick={close}>{words.keep}</Button>
          <Button kind="danger" isBusy={saving.isBusy} onClick={() => saving.run()}>
            {words.revoke}
          </Button>
        </>
      }
    >
      <p>{words.revokeHint}</p>
      <p class="error" role="alert">
        {saving.problem}
      </p>
    </Dialog>
  )
}

/** All API tokens, for administrators. The first to end are at the top. */
export default function AllTokens() {
  useTitle(t.title)
  useShortcuts(tableKeys)
  const { values, set } = useFilters(kinds)
  const ending = useSignal<OwnedToken | undefined>(undefined)
  const { ends, user } = values
  const query = { ...(ends && { expiresWithinDays: Number(ends) }), ...(user !== undefined && { userId: user }) }
  const list = useList('/admin/tokens', query)
  const chosen = user === undefined ? undefined : resource('/users/{id}', { path: { id: user } }).data
  const soon = endingSoon.data?.totalCount
  const isFiltered = Object.values(values).some((value) => value !== undefined)
  const clear = () => set({ ends: undefined, user: undefined })
  return (
    <>
      <h1>{t.title}</h1>
      <p class="tokens-all-first">{soon === undefined ? '\u00a0' : t.soon(soon)}</p>
      <Hint of="admin/tokens">{t.purpose}</Hint>
      <div class="tokens-all-filters">
        <Picks clear={isFiltered ? clear : undefined}>
          <Pick
            label={t.ends}
            all={t.everyEnd}
            value={ends}
            choices={spans.map((value) => ({ value, text: t.within(Number(value)) }))}
            choose={(value) => set({ ends: value })}
          />
          <SearchPick<Person>
            label={t.owner}
            all={t.everyone}
            chosen={user === undefined ? undefined : chosen ? nameOf(chosen) : String(user)}
            find={searchPeople}
            id={(one) => one.id}
            choose={(one) => set({ user: one?.id })}
          >
            {(one) => <PersonLine person={one} size={32} />}
          </SearchPick>
        </Picks>
      </div>
      <Table<OwnedToken>
        label={t.title}
        list={list}
        columns={columnsOf((token) => {
          ending.value = token
        })}
        id={idOf}
        name={({ name }) => name}
        height={isWide.value ? 5.5 : 10.5}
        failed={t.failed}
      >
        {isFiltered ? (
          <NothingFits title={t.nothing} clear={clear} />
        ) : (
          <Empty
            icon="code"
            title={t.none}
            act={
              <a class="button" href={at('/admin/service-accounts')}>
                {t.toAccounts}
              </a>
            }
          >
            {t.noneHint}
          </Empty>
        )}
      </Table>
      {ending.value && (
        <Ending
          token={ending.value}
          close={() => {
            ending.value = undefined
          }}
        />
      )}
    </>
  )
}
