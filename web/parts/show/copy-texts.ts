import { texts } from '../../platform/language.ts'

const ar = { copy: (what: string) => `انسخ: ${what}`, copied: 'نُسخ.' }
const en: typeof ar = { copy: (what) => `Copy: ${what}`, copied: 'Copied' }
export const t = texts({ ar, en })
