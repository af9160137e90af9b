import { heldState } from '../../parts/show/approval/words.ts'
import { Moment } from '../../parts/show/moment.tsx'
import { at } from '../../platform/router.ts'
import { beyondMine, kindOf, type Order, serviceOf, statusName } from '../orders/data.ts'
import { t } from './texts.ts'

const MOST = 4

/** The newest of the person's open orders. */
export function Running({ orders }: { orders: Order[] }) {
  const beyond = beyondMine()
  return (
    <section aria-labelledby="running">
      <div class="section-head services-section">
        <h2 id="running">{t.running}</h2>
        <a class="link" href={at('/orders')}>
          {t.allOrders}
        </a>
      </div>
      <ul class="services-running">
        {orders.slice(0, MOST).map((order) => {
          const held = heldState(order, beyond.get(order.id)?.approval)
          return (
            <li key={order.id}>
              <a class="card" href={at(`/orders/${order.id}`)}>
                <span>
                  <bdi class="services-name">{serviceOf(order)}</bdi>
                  <span class="quiet small">
                    <Moment at={order.createdAt} />
                  </span>
                </span>
                <span class="chip" data-kind={held?.kind ?? kindOf(order.status)}>
                  {held?.text ?? statusName(order.status)}
                </span>
              </a>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
