import { texts } from '../../platform/language.ts'

const ar = {
  unsaved: 'لم يُحفظ ما كتبته. أتغلق النافذة وتتركه؟',
  stay: 'أكمل الكتابة',
  discard: 'اتركه وأغلق',
}

const en: typeof ar = {
  unsaved: 'You have unsaved changes. Close and lose them?',
  stay: 'Keep editing',
  discard: 'Discard',
}

export const both = { ar, en }
export const t = texts(both)
