import { definePalette } from '../frame/palette.ts'
import { myOrders, serviceOf, statusName } from './data.ts'
import { t } from './texts.ts'

const UNASKED = 3

export default definePalette({
  async find(typed) {
    const all = await myOrders.load().catch(() => [])
    return (typed ? all : all.slice(0, UNASKED)).map((order) => ({
      id: `order ${order.id}`,
      text: serviceOf(order),
      words: [order.service.nameAr, order.service.nameEn, order.notes, t.title, String(order.id)],
      kind: statusName(order.status),
      icon: 'clipboard-list',
      path: `/orders/${order.id}`,
    }))
  },
})
