import { useSignal } from '@preact/signals'
import { useTitle } from '../../frame/site.ts'
import { SearchField } from '../../parts/lists/search-field.tsx'
import { VirtualList } from '../../parts/lists/virtual-list.tsx'
import { capitalised } from '../../parts/show/capitalised.ts'
import { Empty } from '../../parts/show/empty.tsx'
import { Icon } from '../../parts/show/icon.tsx'
import { Loaded, Skeleton } from '../../parts/show/skeleton.tsx'
import { Tabs } from '../../parts/show/tabs.tsx'
import { dayOf } from '../../platform/ago.ts'
import { matches } from '../../platform/folded.ts'
import { formatNumber } from '../../platform/language.ts'
import { at, queryValue, setQuery } from '../../platform/router.ts'
import { OrderCard } from './card.tsx'
import { beyondMine, isOpen, myOrders, type Order, withForMe } from './data.ts'
import { RemoveDialog } from './remove-dialog.tsx'
import { t } from './texts.ts'

const fits = {
  all: () => true,
  open: isOpen,
  completed: ({ status }: Order) => status === 'completed',
  cancelled: ({ status }: Order) => status === 'cancelled',
}
type Tab = keyof typeof fits
const keys = Object.keys(fits) as Tab[]

/** The tab for a status in the address. Several statuses share a tab. */
function tabOf(status: string): Tab {
  if (status === 'pending' || status === 'received' || status === 'preparing') return 'open'
  return keys.find((key) => key === status) ?? 'all'
}

const isFound = ({ service, notes, assignee, id }: Order, typed: string) =>
  matches(typed, service.nameAr, service.nameEn, notes, assignee?.displayNameAr, assignee?.displayNameEn, String(id))

const ToServices = ({ kind }: { kind?: 'main' }) => (
  <a class="button" data-kind={kind} href={at('/services')}>
    <Icon name="plus" />
    {t.toServices}
  </a>
)

const NoneFound = () => (
  <Empty
    icon="search"
    title={t.none}
    act={
      <button type="button" class="button" onClick={() => setQuery({ status: '', q: '' })}>
        {t.showAll}
      </button>
    }
  >
    {t.noneHint}
  </Empty>
)

/** The orders grouped by day, each group after its heading; open orders come first. */
function byDay(orders: Order[]): (Order | string)[] {
  const days = Map.groupBy(orders, (order) => (isOpen(order) ? t.tabs.open : capitalised(dayOf(order.createdAt))))
  return [...days]
    .toSorted(([one], [other]) => Number(other === t.tabs.open) - Number(one === t.tabs.open))
    .flatMap(([day, some]) => [day, ...some])
}
const idOf = (row: Order | string) => (typeof row === 'string' ? row : row.id)

/** The person's orders, newest first. */
export function OrderList() {
  useTitle(t.title)
  const removed = useSignal<Order | undefined>(undefined)
  const tab = tabOf(queryValue('status'))
  const typed = queryValue('q')
  const beyond = beyondMine()
  const all = myOrders.data && withForMe(myOrders.data)
  const draw = () => {
    if (!all) return <Skeleton count={4} height={7} />
    if (all.length === 0)
      return (
        <Empty icon="coffee" title={t.empty} act={<ToServices kind="main" />}>
          {t.emptyHint}
        </Empty>
      )
    const found = all.filter((order) => isFound(order, typed))
    const tabs = keys.map((key) => ({ key, text: t.tabs[key], count: formatNumber(found.filter(fits[key]).length) }))
    const shown = found.filter(fits[tab])
    return (
      <Tabs label={t.filters} tabs={tabs} value={tab} choose={(key) => setQuery({ status: key === 'all' ? '' : key })}>
        {shown.length === 0 ? (
          <NoneFound />
        ) : (
          <VirtualList rows={byDay(shown)} id={idOf} height={128} label={t.title} class="orders">
            {(row) =>
              typeof row === 'string' ? (
                <li class="orders-day">
                  <h2 class="quiet small">{row}</h2>
                </li>
              ) : (
                <OrderCard order={row} details={beyond.get(row.id)} remove={() => (removed.value = row)} />
              )
            }
          </VirtualList>
        )}
      </Tabs>
    )
  }
  return (
    <>
      <div class="section-head orders-head">
        <h1>{t.title}</h1>
        {!!all?.length && <SearchField label={t.search} value={typed} change={(q) => setQuery({ q })} />}
        {!!all?.length && <ToServices kind="main" />}
      </div>
      <Loaded of={myOrders} shape={<Skeleton count={4} height={7} />}>
        {draw}
      </Loaded>
      {removed.value && <RemoveDialog order={removed.value} close={() => (removed.value = undefined)} />}
    </>
  )
}
