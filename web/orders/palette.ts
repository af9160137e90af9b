import { definePalette, type Finding } from '../frame/palette.ts'
import { isOpen, myOrders, type Order, serviceOf, statusName } from './data.ts'

const proposed = (all: Order[]): Finding[] =>
  all.map((order) => ({
    id: `order ${order.id}`,
    group: isOpen(order) ? 'orders' : 'past',
    text: serviceOf(order),
    words: [order.service.nameAr, order.service.nameEn, order.notes, String(order.id)],
    kind: statusName(order.status),
    icon: 'clipboard-list',
    path: `/orders/${order.id}`,
    isTyped: !isOpen(order),
  }))

/** Finds the person's orders: open ones always, closed ones once something is typed. */
export default definePalette({
  find: () => {
    const known = myOrders.peek()
    return known ? proposed(known) : myOrders.load().then(proposed)
  },
})
