import { restorations } from '../../../server/record/undo/queries.ts'
import type { Samples } from '../recorder.ts'

const category = { id: 1, name_ar: 'مشروبات', name_en: 'Drinks' }

export default {
  restoreCategory: (db) =>
    restorations.get('service_category.delete')!(db(), { id: 1, rows: { service_categories: [category], services: [] }, undoes: 1 }),
  restoreGroup: (db) =>
    restorations.get('group.delete')!(db(), { id: 1, rows: { groups: [{ id: 1, name: 'Finance' }], memberships: [] }, undoes: 1 }),
  restoreRole: (db) =>
    restorations.get('role.delete')!(db(), {
      id: 1,
      rows: { roles: [{ id: 1, name: 'finance' }], role_permissions: [], direct_roles: [] },
      undoes: 1,
    }),
} satisfies Samples
