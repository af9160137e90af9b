import './style.css'
import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { useTitle } from '../../../frame/site.ts'
import { useShortcuts } from '../../../frame/use-shortcuts.ts'
import { useSettled } from '../../../parts/forms/settled.ts'
import { addressWith } from '../../../parts/lists/filters/address.ts'
import { NothingFits } from '../../../parts/lists/filters/nothing-fits.tsx'
import { useFilters } from '../../../parts/lists/filters/use-filters.ts'
import { useChoice } from '../../../parts/lists/table/choice.ts'
import { useSteady } from '../../../parts/lists/table/steady.ts'
import { Chosen, Table, type TableColumn, tableKeys } from '../../../parts/lists/table/table.tsx'
import { Hint } from '../../../parts/overlay/hint.tsx'
import { Menu } from '../../../parts/overlay/menu.tsx'
import { Avatar } from '../../../parts/show/avatar.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { Empty } from '../../../parts/show/empty.tsx'
import { Icon } from '../../../parts/show/icon.tsx'
import { Moment } from '../../../parts/show/moment.tsx'
import { Tabs } from '../../../parts/show/tabs.tsx'
import { kindOf, type Order, type Status, serviceOf, statusName } from '../../../people/orders/data.ts'
import { present } from '../../../platform/ago.ts'
import { resource } from '../../../platform/cache.ts'
import { minute } from '../../../platform/dates.ts'
import { learned } from '../../../platform/hints.ts'
import { formatNumber, nameOf } from '../../../platform/language.ts'
import { PART, useList } from '../../../platform/list.ts'
import { at } from '../../../platform/router.ts'
import { actsOn } from './acts.ts'
import { Aside } from './aside.tsx'
import { type Filters, hasWaitedLong, kinds, type Question, queryOf, statuses, waitingLong } from './data.ts'
import { OrderDialogs } from './dialogs.tsx'
import { FilterBar } from './filter-bar.tsx'
import { t } from './texts.ts'

const requesterOf = ({ requester }: Order) => (requester ? nameOf(requester) : t.someone)
const idOf = ({ id }: Order) => id

interface Shown {
  status: Status
  isGone: (order: Order) => boolean
  ask: (question: Question) => void
}

const columnsOf = ({ status, isGone, ask }: Shown): TableColumn<Order>[] => [
  {
    key: 'service',
    head: t.heads.service,
    width: 'minmax(12rem, 2fr)',
    cell: (order) => (
      <span class="all-orders-what">
        <span class="all-orders-name">
          <a class="grid-link grid-line" href={at(addressWith({ open: String(order.id) }))} onClick={() => learned('admin/orders')}>
            <bdi>{serviceOf(order)}</bdi>
          </a>
          {isGone(order) ? (
            <span class="chip" data-kind="blue">
              {t.changed}
            </span>
          ) : (
            order.status !== status && (
              <span class="chip" data-kind={kindOf(order.status)}>
                {statusName(order.status)}
              </span>
            )
          )}
        </span>
        <span class="quiet small all-orders-under">
          <bdi class="grid-line all-orders-narrow">{requesterOf(order)}</bdi>
          {order.notes && <span class="all-orders-narrow">·</span>}
          {order.notes && <bdi class="grid-line">{order.notes}</bdi>}
        </span>
      </span>
    ),
  },
  {
    key: 'requester',
    head: t.heads.requester,
    width: 'minmax(8rem, 1.2fr)',
    from: 36,
    cell: (order) => (
      <>
        {order.requester && <Avatar person={order.requester} size={28} />}
        <bdi class="grid-line">{requesterOf(order)}</bdi>
      </>
    ),
  },
  {
    key: 'assignee',
    head: t.heads.assignee,
    width: 'minmax(8rem, 1.2fr)',
    from: 48,
    cell: ({ assignee }) =>
      assignee ? (
        <>
          <Avatar person={assignee} size={28} />
          <bdi class="grid-line">{nameOf(assignee)}</bdi>
        </>
      ) : (
        <span class="quiet">{t.nobody}</span>
      ),
  },
  {
    key: 'since',
    head: t.heads.since,
    width: 'minmax(5.5rem, 0.8fr)',
    cell: (order) => (
      <span class={hasWaitedLong(order, present()) ? 'all-orders-late small' : 'quiet small'}>
        <Moment at={order.createdAt} />
      </span>
    ),
  },
  {
    key: 'acts',
    head: t.heads.acts,
    isUnnamed: true,
    width: '3.25rem',
    cell: (order) => (
      <Menu label={t.acts(serviceOf(order))} face={<Icon name="ellipsis-vertical" size={18} />} items={() => actsOn(order, ask)} />
    ),
  },
]

/** All orders by state, with the actions of an administrator. */
export default function AllOrders() {
  useTitle(t.title)
  useShortcuts(tableKeys)
  const { values, set } = useFilters(kinds)
  const { open, ...written } = values
  const filters: Filters = { ...written, status: written.status ?? 'pending' }
  const sought = useSettled(filters.q)
  const asked = { ...filters, q: filters.q && sought }
  const query = queryOf(asked)
  const key = JSON.stringify(query)
  const { status: _, ...others } = asked
  const steady = useSteady(useList('/orders', query), idOf, key)
  const { list } = steady
  const choice = useChoice(list, idOf, key)
  const question = useSignal<Question | undefined>(undefined)
  const ask = (asked: Question | undefined) => {
    question.value = asked
  }
  // The first page of the list carries the counts.
  const first = resource('/orders', { query: { ...query, limit: PART, offset: 0 } }).data
  const known = useRef(first?.counts)
  if (first) known.current = first.counts
  const counts = known.current
  const long = waitingLong.data?.totalCount
  useEffect(() => {
    if (!waitingLong.isFetching) waitingLong.refresh()
  }, [minute.value])
  // Waiting orders have no receiver.
  const columns = columnsOf({ status: filters.status, isGone: steady.isGone, ask }).filter(
    ({ key }) => key !== 'assignee' || filters.status !== 'pending',
  )
  const isFiltered = Object.values(others).some(Boolean)
  const clear = () => set({ receiver: undefined, service: undefined, from: undefined, to: undefined, q: undefined })
  return (
    <>
      <h1>{t.title}</h1>
      <p class="all-orders-first">{long === undefined ? '\u00a0' : t.long(long)}</p>
      <Hint of="admin/orders">{t.purpose}</Hint>
      <FilterBar filters={filters} set={set} clear={isFiltered ? clear : undefined} />
      <Tabs
        label={t.state}
        value={filters.status}
        choose={(status) => set({ status: status === 'pending' ? undefined : status })}
        tabs={statuses.map((status) => ({ key: status, text: t.tabs[status], count: counts ? formatNumber(counts[status]) : undefined }))}
      >
        <div class="all-orders beside-page">
          <div {...steady.hand}>
            {steady.news > 0 && (
              <Button class="button all-orders-news" onClick={steady.show}>
                {t.news(steady.news)}
              </Button>
            )}
            <Table
              label={t.tabs[filters.status]}
              list={list}
              id={idOf}
              name={(order) => `${serviceOf(order)}, ${requesterOf(order)}`}
              columns={columns}
              choice={choice}
              height={4}
              failed={t.failed}
            >
              {isFiltered ? (
                <NothingFits title={t.empty} clear={clear}>
                  {t.emptyHint}
                </NothingFits>
              ) : (
                <Empty icon="clipboard-list" title={filters.status === 'pending' ? t.none.pending : t.none.others}>
                  {t.noneHint}
                </Empty>
              )}
            </Table>
            <Chosen choice={choice} list={list}>
              <Button onClick={() => ask({ kind: 'assign', ...chosenBy(choice, query) })}>{t.assign}</Button>
              <Button onClick={() => ask({ kind: 'remove', ...chosenBy(choice, query) })}>{t.remove}</Button>
            </Chosen>
          </div>
          {open !== undefined && <Aside key={open} id={open} ask={ask} />}
        </div>
      </Tabs>
      {question.value && <OrderDialogs question={question.value} close={() => ask(undefined)} done={choice.clear} />}
    </>
  )
}

/** The chosen orders, or the query that finds them. */
const chosenBy = (choice: { isAll: boolean; rows: readonly Order[] }, query: ReturnType<typeof queryOf>) =>
  choice.isAll ? { orders: [], query } : { orders: [...choice.rows] }
