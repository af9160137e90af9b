import './style.css'
import { untracked, useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { useTitle } from '../frame/site.ts'
import { useShortcuts } from '../frame/use-shortcuts.ts'
import { claim, complete, incoming, type ListedDetails, type Order, teamNames, together } from '../orders/data.ts'
import { addressDialog } from '../parts/address-dialog.ts'
import { Button } from '../parts/button.tsx'
import { Hint } from '../parts/hint.tsx'
import { Icon } from '../parts/icon.tsx'
import { lazily } from '../parts/lazily.tsx'
import { Menu } from '../parts/menu.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { Loaded, Skeleton } from '../parts/skeleton.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { VirtualList } from '../parts/virtual-list.tsx'
import { isWide } from '../parts/wide.ts'
import { learned } from '../platform/hints.ts'
import { formatNumber, named } from '../platform/language.ts'
import { queryValue, setQuery } from '../platform/router.ts'
import { isAdmin, myTeams } from '../platform/session.ts'
import { Card, keepPlace, type Question } from './card.tsx'
import { board, type Column, columns } from './data.ts'
import { detailsOnBoard, isForLater, nextWaiting } from './details.ts'
import { walk } from './keys.ts'
import { endSelecting, selectAll, selected, startSelecting } from './selection.ts'
import { t } from './texts.ts'

const asking = () => import('./questions.tsx')
const AssignDialog = lazily(async () => (await asking()).AssignDialog)
const CancelQuestion = lazily(async () => (await asking()).CancelQuestion)
const HandOverDialog = lazily(async () => (await asking()).HandOverDialog)
const RemoveDialog = lazily(async () => (await asking()).RemoveDialog)

/** The dialog that hands an order over, by its id in the address. */
const handingOver = addressDialog('handover')

const focusedCard = () => document.activeElement?.closest<HTMLElement>('[data-order]')
const orderOf = (card: HTMLElement | null | undefined) => incoming.peek()?.find(({ id }) => String(id) === card?.dataset['order'])

const none: ReadonlyMap<number, ListedDetails> = new Map()
const known = () => (myTeams.data?.length ? detailsOnBoard() : none)

/** Asks to which team to hand over the focused order, else the waiting one that is due first. */
function handOverByKey() {
  const order = orderOf(focusedCard()) ?? nextWaiting(untracked(known))
  if (order && teamNames.peek()?.length) handingOver.open(order.id)
}

/** Claims the focused order if it is waiting, else the one that is due first. */
function claimByKey() {
  const focused = focusedCard()
  const order = [orderOf(focused)].find((one) => one?.status === 'pending')
  keepPlace(order ? focused : undefined)
  const wanted = order ?? nextWaiting(untracked(known))
  if (!wanted) return
  learned('claim')
  claim(wanted)
}

interface Shown {
  details: ReadonlyMap<number, ListedDetails>
  ask: (question: Question) => void
}

/** Orders that are wanted later than on the next working day, folded; soonest wanted first. */
function Later({ orders, details, ask }: Shown & { orders: Order[] }) {
  const isOpen = useSignal(false)
  const wantedAt = ({ id }: Order) => details.get(id)?.wantedAt ?? ''
  return (
    <details class="receiving-later" onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary>
        {t.later} <span class="chip numbers">{formatNumber(orders.length)}</span>
      </summary>
      {isOpen.value && (
        <VirtualList
          rows={orders.toSorted((one, other) => wantedAt(one).localeCompare(wantedAt(other)) || one.id - other.id)}
          id={({ id }) => id}
          height={140}
          label={t.later}
          class="receiving-list"
        >
          {(order) => <Card order={order} details={details.get(order.id)} ask={ask} />}
        </VirtualList>
      )}
    </details>
  )
}

function List({ column, orders, details, ask }: Shown & { column: Column; orders: Order[] }) {
  const later = orders.filter(({ id }) => isForLater(details.get(id)))
  const now = later.length ? orders.filter((order) => !later.includes(order)) : orders
  return (
    <>
      {now.length === 0 ? (
        <p class="receiving-none quiet">{queryValue('q') ? t.noneFound : t.emptyColumns[column]}</p>
      ) : (
        <VirtualList rows={now} id={({ id }) => id} height={140} label={t.columns[column]} class="receiving-list">
          {(order) => <Card order={order} details={details.get(order.id)} ask={ask} />}
        </VirtualList>
      )}
      {later.length > 0 && <Later orders={later} details={details} ask={ask} />}
    </>
  )
}

function Columns({ found, details, ask }: Shown & { found: Record<Column, Order[]> }) {
  if (!isWide.value) {
    const now = columns.find((column) => column === queryValue('tab')) ?? 'waiting'
    const tabs = columns.map((key) => ({ key, text: t.columns[key], short: t.shortColumns[key], count: formatNumber(found[key].length) }))
    return (
      <Tabs label={t.board} tabs={tabs} value={now} choose={(key) => setQuery({ tab: key === 'waiting' ? '' : key })}>
        <List key={now} column={now} orders={found[now]} details={details} ask={ask} />
      </Tabs>
    )
  }
  return (
    <div class="receiving-board">
      {columns.map((column) => (
        <section key={column} class="receiving-column" aria-labelledby={`column-${column}`}>
          <h2 id={`column-${column}`}>
            {t.columns[column]} <span class="chip numbers">{formatNumber(found[column].length)}</span>
          </h2>
          <div class="receiving-box">
            <List column={column} orders={found[column]} details={details} ask={ask} />
          </div>
        </section>
      ))}
    </div>
  )
}

interface SelectingProps {
  orders: Order[]
  remove: (orders: Order[]) => void
  assign: (orders: Order[]) => void
}

/** Actions on several orders. Only those that apply to each of them are offered. */
function Selecting({ orders, remove, assign }: SelectingProps) {
  const chosen = orders.filter(({ id }) => selected.value?.has(id))
  const isFor = (status: Order['status']) => chosen.length > 0 && chosen.every(({ next }) => next.includes(status))
  const doWith = (act: typeof claim, said: (count: number) => string) => {
    startSelecting()
    together(chosen, (order) => act(order, true), said)
  }
  return (
    <div class="receiving-selecting">
      <span role="status">{t.selected(chosen.length)}</span>
      <Button kind="plain" onClick={() => selectAll(orders.map(({ id }) => id))}>
        {t.selectAll}
      </Button>
      {isFor('received') && <Button onClick={() => doWith(claim, t.claimed)}>{t.claim}</Button>}
      {isFor('completed') && <Button onClick={() => doWith(complete, t.completed)}>{t.complete}</Button>}
      {isAdmin.value && chosen.length > 0 && <Button onClick={() => assign(chosen)}>{t.assign}</Button>}
      <Button kind="danger" icon="trash-2" disabled={chosen.length === 0} onClick={() => remove(chosen)}>
        {t.remove}
      </Button>
      <Button kind="plain" onClick={endSelecting}>
        {t.endSelecting}
      </Button>
    </div>
  )
}

/** The orders that a receiver can claim or is working on, live. */
export default function Receiving() {
  useTitle(t.title)
  const question = useSignal<Question | undefined>(undefined)
  const removing = useSignal<Order[] | undefined>(undefined)
  const assigning = useSignal<Order[] | undefined>(undefined)
  useShortcuts([
    { codes: ['KeyR'], text: () => t.keys.claim, run: claimByKey },
    { codes: ['KeyT'], text: () => t.keys.handOver, run: handOverByKey },
  ])
  useEffect(() => endSelecting, [])
  const typed = queryValue('q')
  const asked = question.value
  const ask = (now: Question) => {
    if (now.ask === 'remove') removing.value = [now.order]
    else if (now.ask === 'assign') assigning.value = [now.order]
    else if (now.ask === 'handOver') handingOver.open(now.order.id)
    else question.value = now
  }
  const close = () => {
    question.value = undefined
  }
  const all = incoming.data ?? []
  const teams = myTeams.data ?? []
  const team = teams.length > 1 ? teams.find(({ id }) => String(id) === queryValue('team')) : undefined
  const details = known()
  const found = board(team ? all.filter(({ id }) => details.get(id)?.teamId === team.id) : all, typed)
  const handed = all.find(({ id }) => String(id) === handingOver.opened())
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys walk the cards inside
    <div class="receiving" onKeyDown={walk}>
      <div class="section-head receiving-head">
        <h1>{t.title}</h1>
        {teams.length > 1 && (
          <Menu
            class="receiving-team"
            label={`${t.team}: ${team ? named(team) : t.allTeams}`}
            face={
              <>
                <bdi>{team ? named(team) : t.allTeams}</bdi>
                <Icon name="chevron-down" size={16} />
              </>
            }
            items={[undefined, ...teams].map((one) => ({
              text: one ? named(one) : t.allTeams,
              checked: one === team,
              run: () => setQuery({ team: one ? String(one.id) : '' }),
            }))}
          />
        )}
        <SearchField label={t.search} value={typed} change={(q) => setQuery({ q })} />
        {all.length > 0 && !selected.value && <Button onClick={startSelecting}>{t.select}</Button>}
      </div>
      {isWide.value && found.waiting.length > 0 && (
        <Hint of="claim">
          {t.hintClaim} <kbd dir="ltr">R</kbd>
        </Hint>
      )}
      {selected.value && (
        <Selecting
          orders={columns.flatMap((column) => found[column])}
          remove={(orders) => (removing.value = orders)}
          assign={(orders) => (assigning.value = orders)}
        />
      )}
      <Loaded of={incoming} shape={<Skeleton count={4} height={8} />}>
        {() => <Columns found={found} details={details} ask={ask} />}
      </Loaded>
      {handed && teamNames.data && <HandOverDialog order={handed} close={handingOver.close} />}
      {asked?.ask === 'cancel' && <CancelQuestion order={asked.order} close={close} />}
      {assigning.value && (
        <AssignDialog
          orders={assigning.value}
          close={() => {
            assigning.value = undefined
            if (selected.value) startSelecting()
          }}
        />
      )}
      {removing.value && (
        <RemoveDialog
          orders={removing.value}
          close={() => {
            removing.value = undefined
            if (selected.value) startSelecting()
          }}
        />
      )}
    </div>
  )
}
