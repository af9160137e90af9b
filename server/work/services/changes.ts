import { Type } from 'typebox'
import { administrators } from '../../platform/auth/held.ts'
import { type Event, kind, NewOrder } from '../../platform/changes/change-kind.ts'

const Names = Type.Object({ nameEn: Type.String(), nameAr: Type.String() })
const Restored = Type.Object({ nameEn: Type.String(), nameAr: Type.String(), undoes: Type.Integer() })
const Edit = Type.Object({ changed: Type.Record(Type.String(), Type.Object({ from: Type.Unknown(), to: Type.Unknown() })) })
const catalogueChanged: Event = { event: 'services_changed', data: {}, to: 'everyone' }
const quiet = { audits: 'nothing', emits: 'nothing' } as const
const seenByAll = { emits: () => [catalogueChanged] } as const

export const serviceChanges = {
  'service.created': kind({ targetType: 'service', facts: Names, audits: () => ({ action: 'service.create' }), ...seenByAll }),
  'service.updated': kind({ targetType: 'service', facts: Edit, audits: () => ({ action: 'service.update' }), ...seenByAll }),
  'service.handling_changed': kind({
    targetType: 'service',
    facts: Edit,
    audits: () => ({ action: 'service.handling.update' }),
    ...seenByAll,
  }),
  'service.notice_changed': kind({ targetType: 'service', facts: Edit, audits: () => ({ action: 'service.notice.update' }), ...seenByAll }),
  /** The facts omit the texts of the form. */
  'service.form_changed': kind({
    targetType: 'service',
    facts: Type.Object({ version: Type.Integer(), addedKeys: Type.Array(Type.String()), removedKeys: Type.Array(Type.String()) }),
    audits: ({ facts }) => ({ action: 'service.form.update', metadata: facts }),
    ...seenByAll,
  }),
  /** The last group of the audience was deleted. Now nobody can order the service, and administrators are notified. */
  'service.audience_emptied': kind({
    targetType: 'service',
    facts: Names,
    audits: 'nothing',
    notifies: (_tx, { facts: { nameAr, nameEn } }) => [
      {
        recipients: administrators,
        type: 'order',
        relatedType: null,
        relatedId: null,
        template: 'audience_empty',
        params: { ar: { service: nameAr }, en: { service: nameEn } },
      },
    ],
    ...seenByAll,
  }),
  /** Accompanied by a change for each order that was deleted with the service. */
  'service.deleted': kind({
    targetType: 'service',
    facts: Type.Object({ nameEn: Type.String(), nameAr: Type.String(), orderCount: Type.Optional(Type.Integer()) }),
    audits: ({ facts: { orderCount } }) => ({ action: orderCount ? 'service.force_delete' : 'service.delete' }),
    ...seenByAll,
  }),
  /** Accompanied by a `service.moved` for each service whose `sortOrder` changed. */
  'service_order.changed': kind({ targetType: 'service', facts: NewOrder, audits: () => ({ action: 'service.reorder' }), ...seenByAll }),
  'service.moved': kind({ targetType: 'service', facts: Type.Object({}), ...quiet }),
  /** Accompanied by a `service_category.moved` for each category whose `sortOrder` changed. */
  'service_category_order.changed': kind({
    targetType: 'service_category',
    facts: NewOrder,
    audits: () => ({ action: 'service_category.reorder' }),
    ...seenByAll,
  }),
  'service_category.moved': kind({ targetType: 'service_category', facts: Type.Object({}), ...quiet }),
  'service_category.created': kind({
    targetType: 'service_category',
    facts: Names,
    audits: () => ({ action: 'service_category.create' }),
    ...seenByAll,
  }),
  'service.restored': kind({ targetType: 'service', facts: Restored, audits: () => ({ action: 'service.restore' }), ...seenByAll }),
  /** Accompanied by a change for each service that is in the category again. */
  'service_category.restored': kind({
    targetType: 'service_category',
    facts: Restored,
    audits: () => ({ action: 'service_category.restore' }),
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
