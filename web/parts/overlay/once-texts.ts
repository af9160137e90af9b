import { texts } from '../../platform/language.ts'
import type { t as words } from './dialog-texts.ts'

const ar: typeof words = {
  unsaved: 'لا يُعرض هذا مرة أخرى. أتغلق النافذة؟',
  stay: 'أبقها مفتوحة',
  discard: 'أغلقها',
}

const en: typeof ar = {
  unsaved: 'This is shown only once. Close it?',
  stay: 'Keep it open',
  discard: 'Close',
}

export const both = { ar, en }
export const t = texts(both)
