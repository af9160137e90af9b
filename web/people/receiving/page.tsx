import './style.css'
import { untracked, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { useTitle } from '../../frame/site.ts'
import { useShortcuts } from '../../frame/use-shortcuts.ts'
import { SearchField } from '../../parts/lists/search-field.tsx'
import { useKept } from '../../parts/lists/state.ts'
import { VirtualList } from '../../parts/lists/virtual-list.tsx'
import { addressDialog } from '../../parts/overlay/address-dialog.ts'
import { Hint } from '../../parts/overlay/hint.tsx'
import { Menu } from '../../parts/overlay/menu.tsx'
import { Button } from '../../parts/show/button.tsx'
import { Icon } from '../../parts/show/icon.tsx'
import { lazily } from '../../parts/show/lazily.tsx'
import { Loaded, Skeleton } from '../../parts/show/skeleton.tsx'
import { Tabs } from '../../parts/show/tabs.tsx'
import { isWide } from '../../parts/show/wide.ts'
import { learned } from '../../platform/hints.ts'
import { formatNumber, named } from '../../platform/language.ts'
import { queryValue, setQuery } from '../../platform/router.ts'
import { myTeams } from '../../platform/session.ts'
import { actsFor, claim, complete, incoming, type Order, teamNames, together } from '../orders/data.ts'
import { Card, type Question } from './card.tsx'
import { board, type Column, columns, focusedCard, keepPlace, walk } from './data.ts'
import { detailsOnBoard, followDetails } from './details.ts'
import { endSelecting, selectAll, selected, startSelecting } from './selection.ts'
import { t } from './texts.ts'
import { firstNow, isForLater, type Row } from './turns.ts'

const asking = () => import('./questions.tsx')
const AssignDialog = lazily(async () => (await asking()).AssignDialog)
const CancelQuestion = lazily(async () => (await asking()).CancelQuestion)
const HandOverDialog = lazily(async () => (await asking()).HandOverDialog)
const RemoveDialog = lazily(async () => (await asking()).RemoveDialog)

/** The dialog that hands over an order; the address contains the order's id. */
const handingOver = addressDialog('handover')

/** The team to which a receiver of several teams has narrowed the board. */
function chosenTeam() {
  const teams = myTeams.data ?? []
  return teams.length > 1 ? teams.find(({ id }) => String(id) === queryValue('team')) : undefined
}

/** The orders that the board shows, by column. */
function shown() {
  const [details, team] = [detailsOnBoard(), chosenTeam()]
  const rows = (incoming.data ?? []).map((order) => ({ order, details: details.get(order.id) }))
  return board(team ? rows.filter((row) => row.details?.teamId === team.id) : rows, queryValue('q'))
}

/** The focused order, and the first waiting order that is not folded away. */
function forKeys() {
  const found = untracked(shown)
  const id = Number(focusedCard()?.dataset['order'])
  const focused = columns.flatMap((column) => found[column]).find(({ order }) => order.id === id)
  return { focused, first: firstNow(found.waiting) }
}

/** Opens the dialog that hands over the focused order, or else the first waiting order. */
function handOverByKey() {
  const { focused, first } = forKeys()
  const row = focused ?? first
  if (row && actsFor(row.order, row.details).handsOver && teamNames.peek()?.length) handingOver.open(row.order.id)
}

/** Claims the focused order if it is waiting, or else the first waiting order. */
function claimByKey() {
  const { focused, first } = forKeys()
  const isFocused = focused?.order.status === 'pending'
  keepPlace(isFocused ? focusedCard() : undefined)
  const row = isFocused ? focused : first
  if (!row) return
  learned('claim')
  claim(row.order)
}

interface Asking {
  ask: (question: Question) => void
}

/** Orders that are wanted later than on the next working day, folded. */
function Later({ column, rows, ask }: Asking & { column: Column; rows: Row[] }) {
  const isOpen = useKept(`later ${column}`, false)
  return (
    <details class="receiving-later" open={isOpen.value} onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary>
        {t.later} <span class="chip numbers">{formatNumber(rows.length)}</span>
      </summary>
      {isOpen.value && <Cards label={t.later} rows={rows} ask={ask} />}
    </details>
  )
}

const Cards = ({ label, rows, ask }: Asking & { label: string; rows: Row[] }) => (
  <VirtualList rows={rows} id={({ order }) => order.id} height={140} label={label} class="receiving-list">
    {(row) => <Card {...row} ask={ask} />}
  </VirtualList>
)

function List({ column, rows, ask }: Asking & { column: Column; rows: Row[] }) {
  const later = rows.filter(isForLater)
  const now = later.length ? rows.filter((row) => !later.includes(row)) : rows
  const none = column === 'waiting' && myTeams.data?.length ? 'ofTeam' : column
  return (
    <>
      {now.length === 0 ? (
        <p class="receiving-none quiet">{queryValue('q') ? t.noneFound : t.emptyColumns[none]}</p>
      ) : (
        <Cards label={t.columns[column]} rows={now} ask={ask} />
      )}
      {later.length > 0 && <Later column={column} rows={later} ask={ask} />}
    </>
  )
}

/** The box of a column, which scrolls by itself. */
function Box({ name, children }: { name: string; children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null)
  const top = useKept(name, 0)
  useLayoutEffect(() => {
    box.current!.scrollTop = top.peek()
  }, [])
  return (
    <div ref={box} class="receiving-box" onScroll={({ currentTarget }) => (top.value = currentTarget.scrollTop)}>
      {children}
    </div>
  )
}

function Columns({ found, ask }: Asking & { found: Record<Column, Row[]> }) {
  if (!isWide.value) {
    const now = columns.find((column) => column === queryValue('tab')) ?? 'waiting'
    const tabs = columns.map((key) => ({ key, text: t.columns[key], short: t.shortColumns[key], count: formatNumber(found[key].length) }))
    return (
      <Tabs label={t.board} tabs={tabs} value={now} choose={(key) => setQuery({ tab: key === 'waiting' ? '' : key })}>
        <List key={now} column={now} rows={found[now]} ask={ask} />
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
          <Box name={`box ${column}`}>
            <List column={column} rows={found[column]} ask={ask} />
          </Box>
        </section>
      ))}
    </div>
  )
}

interface SelectingProps {
  rows: Row[]
  remove: (orders: Order[]) => void
  assign: (orders: Order[]) => void
}

/** Actions on several orders. Only actions that apply to all of these orders are offered. */
function Selecting({ rows, remove, assign }: SelectingProps) {
  const chosenRows = rows.filter(({ order }) => selected.value?.has(order.id))
  const chosen = chosenRows.map(({ order }) => order)
  const isFor = (status: Order['status']) => chosen.length > 0 && chosen.every(({ next }) => next.includes(status))
  const doWith = (act: typeof claim, said: (count: number) => string) => {
    startSelecting()
    together(chosen, (order) => act(order, true), said)
  }
  return (
    <div class="receiving-selecting">
      <span role="status">{t.selected(chosen.length)}</span>
      <Button kind="plain" onClick={() => selectAll(rows.map(({ order }) => order.id))}>
        {t.selectAll}
      </Button>
      {isFor('received') && <Button onClick={() => doWith(claim, t.claimed)}>{t.claim}</Button>}
      {isFor('completed') && <Button onClick={() => doWith(complete, t.completed)}>{t.complete}</Button>}
      {chosen.length > 0 && chosenRows.every(({ order, details }) => actsFor(order, details).assigns) && (
        <Button onClick={() => assign(chosen)}>{t.assign}</Button>
      )}
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
  useEffect(followDetails, [])
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
  const team = chosenTeam()
  const found = shown()
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
          rows={columns.flatMap((column) => found[column])}
          remove={(orders) => (removing.value = orders)}
          assign={(orders) => (assigning.value = orders)}
        />
      )}
      <Loaded of={incoming} shape={<Skeleton count={4} height={8} />}>
        {() => <Columns found={found} ask={ask} />}
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
