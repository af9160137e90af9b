import { texts } from '../../platform/language.ts'

const ar = { printed: 'لا يُطبع من القائمة إلا ما حُمّل منها.' }
const en: typeof ar = { printed: 'Only the part of the list that was loaded is printed.' }

export const both = { ar, en }
export const t = texts(both)
