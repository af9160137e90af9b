import { isOpen, kindOf, type Order, serviceOf, statusName } from '../orders/data.ts'
import { Moment } from '../parts/moment.tsx'
import { at } from '../platform/router.ts'
import { t } from './texts.ts'

const MOST = 4

/** The person's open orders, newest first. */
export function Running({ orders }: { orders: Order[] }) {
  const open = orders.filter(isOpen).slice(0, MOST)
  if (open.length === 0) return null
  return (
    <section aria-labelledby="running">
      <div class="section-head services-section">
        <h2 id="running">{t.running}</h2>
        <a class="link" href={at('/orders')}>
          {t.allOrders}
        </a>
      </div>
      <ul class="services-running">
        {open.map((order) => (
          <li key={order.id}>
            <a class="card" href={at(`/orders/${order.id}`)}>
              <span>
                <bdi class="services-name">{serviceOf(order)}</bdi>
                <span class="quiet small">
                  <Moment at={order.createdAt} />
                </span>
              </span>
              <span class="chip" data-kind={kindOf(order.status)}>
                {statusName(order.status)}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}
