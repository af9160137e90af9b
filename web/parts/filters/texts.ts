import { texts } from '../../platform/language.ts'

const ar = {
  wrong: 'في العنوان مرشّح لا معنى له، فتُرك.',
  clear: 'امسح المرشحات',
}

const en: typeof ar = {
  wrong: 'A filter in the address means nothing here, and was dropped.',
  clear: 'Clear filters',
}

export const both = { ar, en }

/** The texts of filters. */
export const t = texts(both)
