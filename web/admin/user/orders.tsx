import { useSignal } from '@preact/signals'
import { Button } from '../../parts/button.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Loaded } from '../../parts/skeleton.tsx'
import { inLanguage } from '../../platform/language.ts'
import { at } from '../../platform/router.ts'
import { ordersOf, PAGE, type Profile } from './data.ts'
import { t } from './texts.ts'

/** The orders that a person placed, newest first. */
export function Orders({ person }: { person: Profile }) {
  const shown = useSignal(1)
  return (
    <Loaded of={ordersOf(person.id, 0)}>
      {({ totalCount }) => {
        if (totalCount === 0) return <p class="quiet">{t.noOrders}</p>
        const pages = Array.from({ length: shown.value }, (_, page) => ordersOf(person.id, page * PAGE).data?.items ?? [])
        const orders = [...new Map(pages.flat().map((order) => [order.id, order])).values()]
        return (
          <>
            <ul class="user-list">
              {orders.map((order) => (
                <li key={order.id}>
                  <span class="grow">
                    <a href={at(`/orders/${order.id}`)}>
                      <bdi>{inLanguage(order.serviceNameAr, order.serviceNameEn)}</bdi>
                    </a>
                    {order.notes && (
                      <span class="quiet small user-detail">
                        <bdi>{order.notes}</bdi>
                      </span>
                    )}
                  </span>
                  <span class="chip">{t.statuses[order.status]}</span>
                  <span class="quiet small">
                    <Moment at={order.createdAt} />
                  </span>
                </li>
              ))}
            </ul>
            {totalCount > shown.value * PAGE && (
              <Button
                onClick={() => {
                  shown.value++
                }}
              >
                {t.moreRows}
              </Button>
            )}
          </>
        )
      }}
    </Loaded>
  )
}
