import { Type } from 'typebox'
import { type Event, kind } from '../platform/changes/change-kind.ts'

const Names = Type.Object({ nameEn: Type.String(), nameAr: Type.String() })
const Edit = Type.Object({ changed: Type.Record(Type.String(), Type.Object({ from: Type.Unknown(), to: Type.Unknown() })) })
const catalogueChanged: Event = { event: 'services_changed', data: {}, to: 'everyone' }
const seenByAll = { histories: 'nothing', tells: 'nobody', emits: () => [catalogueChanged] } as const

export const serviceChanges = {
  'service.created': kind({ targetType: 'service', facts: Names, audits: () => ({ action: 'service.create' }), ...seenByAll }),
  'service.updated': kind({ targetType: 'service', facts: Edit, audits: () => ({ action: 'service.update' }), ...seenByAll }),
  /** Accompanied by a change for each order that went with it. */
  'service.deleted': kind({
    targetType: 'service',
    facts: Type.Object({ nameEn: Type.String(), nameAr: Type.String(), orderCount: Type.Optional(Type.Integer()) }),
    audits: ({ facts: { orderCount } }) => ({ action: orderCount ? 'service.force_delete' : 'service.delete' }),
    ...seenByAll,
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
