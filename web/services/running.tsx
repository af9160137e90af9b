import { beyondMine, isOpen, kindOf, myOrders, serviceOf, statusName, withForMe } from '../orders/data.ts'
import { heldState } from '../parts/approval/words.ts'
import { Moment } from '../parts/moment.tsx'
import { at } from '../platform/router.ts'
import { t } from './texts.ts'

const MOST = 4

/** The person's open orders, newest first, and those that somebody else has placed for them. */
export function Running() {
  const beyond = beyondMine()
  const open = myOrders.data && withForMe(myOrders.data)?.filter(isOpen).slice(0, MOST)
  if (!open?.length) return null
  return (
    <section aria-labelledby="running">
      <div class="section-head services-section">
        <h2 id="running">{t.running}</h2>
        <a class="link" href={at('/orders')}>
          {t.allOrders}
        </a>
      </div>
      <ul class="services-running">
        {open.map((order) => {
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
