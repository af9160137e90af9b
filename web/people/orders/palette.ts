import { definePalette, type Finding } from '../../frame/palette.ts'
import { heldState } from '../../parts/show/approval/words.ts'
import { beyondMine, isOpen, myOrders, newestOfMine, type Order, serviceOf, statusName, withForMe } from './data.ts'

function proposed(own: Order[]): Finding[] {
  const beyond = beyondMine()
  return (withForMe(own) ?? own).map((order) => ({
    id: `order ${order.id}`,
    group: isOpen(order) ? 'orders' : 'past',
    text: serviceOf(order),
    words: [order.service.nameAr, order.service.nameEn, order.notes, String(order.id)],
    kind: heldState(order, beyond.get(order.id)?.approval)?.text ?? statusName(order.status),
    icon: 'clipboard-list',
    path: `/orders/${order.id}`,
    isTyped: !isOpen(order),
  }))
}

/** Finds the person's orders: open ones always, closed ones once something is typed. */
export default definePalette({
  find() {
    const known = newestOfMine.peek() && myOrders.peek()
    // Without the details, the person still finds their own orders.
    return known ? proposed(known) : Promise.all([myOrders.load(), newestOfMine.load().catch(() => {})]).then(([own]) => proposed(own))
  },
})
