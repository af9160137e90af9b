import { restorations } from '../../../server/record/undo/queries.ts'
import type { Samples } from '../recorder.ts'

const category = { id: 1, name_ar: 'مشروبات', name_en: 'Drinks' }

export default {
  restoreCategory: (db) =>
    restorations.get('service_category.delete')!(db(), { id: 1, rows: { service_categories: [category], services: [] }, undoes: 1 }),
} satisfies Samples
