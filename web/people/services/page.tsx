import './style.css'
import { useEffect } from 'preact/hooks'
import { offer } from '../../frame/offer.ts'
import { useTitle } from '../../frame/site.ts'
import { useShortcuts } from '../../frame/use-shortcuts.ts'
import { SearchField } from '../../parts/lists/search-field.tsx'
import { Button } from '../../parts/show/button.tsx'
import { Empty } from '../../parts/show/empty.tsx'
import { lazily } from '../../parts/show/lazily.tsx'
import { Loaded, Skeleton } from '../../parts/show/skeleton.tsx'
import { named } from '../../platform/language.ts'
import { queryValue, setQuery } from '../../platform/router.ts'
import { isOpen, myOrders, withForMe } from '../orders/data.ts'
import { Again } from './again.tsx'
import { catalogue, categories, entryOf, type Service, services, shelves } from './data.ts'
import { useDueTimes } from './due.tsx'
import { OrderDialog, ordering } from './order-dialog.tsx'
import { ServiceCard } from './service-card.tsx'
import { t } from './texts.ts'

const Running = lazily(async () => (await import('./running.tsx')).Running)

const shape = <Skeleton count={6} height={5} />
function closeOrder() {
  if (queryValue('again')) setQuery({ order: '', again: '' })
  else ordering.close()
}
const focusSearch = () => document.querySelector<HTMLElement>('.services-head input')?.focus()
/** Opens the form of the first service found that can be ordered. */
function openFirst(typed: string) {
  const found = shelves(services.peek() ?? [], categories.peek() ?? [], typed).flatMap((shelf) => shelf.services)
  const first = found.find((service) => entryOf(service).canOrder)
  if (typed && first) ordering.open(first.id)
}
const endOffer = () => {
  offer.value = undefined
}

function Catalogue({ all, typed }: { all: Service[]; typed: string }) {
  // Wait for the categories: a card that moved to its category later would lose the focus.
  if (categories.data === undefined && !categories.error) return shape
  if (all.length === 0)
    return (
      <Empty icon="coffee" title={t.empty}>
        {t.emptyHint}
      </Empty>
    )
  const found = shelves(all, categories.data ?? [], typed)
  if (found.length === 0)
    return (
      <Empty icon="search" title={t.none(typed)} act={<Button onClick={() => setQuery({ q: '' })}>{t.showAll}</Button>}>
        {t.noneHint}
      </Empty>
    )
  return found.map(({ category, services }) => {
    const id = `category-${category?.id ?? 0}`
    return (
      <section key={id} aria-labelledby={id}>
        <h2 id={id}>{category ? <bdi>{named(category)}</bdi> : t.others}</h2>
        <ul class="services">
          {services.map((service) => (
            <ServiceCard key={service.id} service={service} category={category} order={() => ordering.open(service.id)} />
          ))}
        </ul>
      </section>
    )
  })
}

/** The catalogue, recent orders, and open orders. */
export default function Services() {
  useTitle(t.title)
  useDueTimes()
  useShortcuts([{ codes: ['Slash'], text: () => t.search, run: focusSearch }])
  const typed = queryValue('q')
  const ordered = Number(ordering.opened())
  // Start these calls together with that of the services.
  void categories.data
  void catalogue.data
  const open = myOrders.data && withForMe(myOrders.data)?.filter(isOpen)
  const Offer = offer.value
  useEffect(() => endOffer, [])
  return (
    <div class="services-page">
      <div class="section-head services-head">
        <h1>{t.title}</h1>
        <SearchField label={t.search} value={typed} change={(q) => setQuery({ q })} enter={() => openFirst(typed)} />
      </div>
      <Loaded of={services} shape={shape}>
        {(all) => (
          <>
            {Offer && <Offer close={endOffer} />}
            {!typed && !!open?.length && <Running orders={open} />}
            {!typed && <Again orders={myOrders.data ?? []} services={all.filter((service) => entryOf(service).canOrder)} />}
            <Catalogue all={all} typed={typed} />
            {ordered > 0 && (
              <OrderDialog
                key={ordered}
                service={all.find(({ id }) => id === ordered)}
                close={closeOrder}
                again={Number(queryValue('again')) || undefined}
              />
            )}
          </>
        )}
      </Loaded>
    </div>
  )
}
