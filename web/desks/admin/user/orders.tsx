import { usePages } from '../../../parts/lists/pages.tsx'
import { Moment } from '../../../parts/show/moment.tsx'
import { Loaded } from '../../../parts/show/skeleton.tsx'
import { inLanguage } from '../../../platform/language.ts'
import { at } from '../../../platform/router.ts'
import { ordersOf, type Profile } from './data.ts'
import { t } from './texts.ts'

/** The orders that a person placed, newest first. */
export function Orders({ person }: { person: Profile }) {
  const { first, rows, more } = usePages({ of: (offset) => ordersOf(person.id, offset), rows: ({ items }) => items, id: ({ id }) => id })
  return (
    <Loaded of={first}>
      {({ totalCount }) => {
        if (totalCount === 0) return <p class="quiet">{t.noOrders}</p>
        return (
          <>
            <ul class="user-list">
              {rows.map((order) => (
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
            {more}
          </>
        )
      }}
    </Loaded>
  )
}
