import { Type } from 'typebox'
import { receivers } from '../orders/queries.ts'
import { deletionEvents } from '../orders/rules.ts'
import { OrderStatus } from '../orders/shapes.ts'
import { type Event, kind } from '../platform/changes/change-kind.ts'

const Names = Type.Object({ nameEn: Type.String(), nameAr: Type.String() })
const Edit = Type.Object({ changed: Type.Record(Type.String(), Type.Object({ from: Type.Unknown(), to: Type.Unknown() })) })
const GoneOrder = Type.Object({
  id: Type.Integer(),
  status: OrderStatus,
  userId: Type.Integer(),
  assignedTo: Type.Union([Type.Integer(), Type.Null()]),
})
const catalogueChanged: Event = { event: 'services_changed', data: {}, to: 'everyone' }
const seenByAll = { histories: 'nothing', tells: 'nobody', emits: () => [catalogueChanged] } as const

export const serviceChanges = {
  'service.created': kind({ targetType: 'service', facts: Names, audits: () => ({ action: 'service.create' }), ...seenByAll }),
  'service.updated': kind({ targetType: 'service', facts: Edit, audits: () => ({ action: 'service.update' }), ...seenByAll }),
  /** Deleted together with its orders. */
  'service.deleted': kind({
    targetType: 'service',
    facts: Type.Object({ nameEn: Type.String(), nameAr: Type.String(), orders: Type.Array(GoneOrder) }),
    audits: ({ facts: { nameEn, nameAr, orders } }) =>
      orders.length
        ? { action: 'service.force_delete', metadata: { nameEn, nameAr, orderCount: orders.length } }
        : { action: 'service.delete', metadata: { nameEn, nameAr } },
    histories: 'nothing',
    tells: 'nobody',
    emits: (_tx, { facts: { orders } }) => [...deletionEvents(orders, receivers), catalogueChanged],
  }),
  'service_category.created': kind({
    targetType: 'service_category',
    facts: Names,
    audits: () => ({ action: 'service_category.create' }),
    ...seenByAll,
  }),
  'service_category.updated': kind({
    targetType: 'service_category',
    facts: Edit,
    audits: () => ({ action: 'service_category.update' }),
    ...seenByAll,
  }),
  /** Accompanied by a change for each service that was in the category. */
  'service_category.deleted': kind({
    targetType: 'service_category',
    facts: Names,
    audits: () => ({ action: 'service_category.delete' }),
    ...seenByAll,
  }),
}
