import { texts } from '../../platform/language.ts'

const ar = { unchosen: 'اختر من القائمة، أو امسح ما كتبته هنا.' }
const en: typeof ar = { unchosen: 'Choose from the list, or clear this field.' }

export const both = { ar, en }
export const t = texts(both)
