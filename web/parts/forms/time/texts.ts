import { texts } from '../../../platform/language.ts'

const ar = { unknown: (example: string) => `اكتب وقتًا مثل ${example}.` }
const en: typeof ar = { unknown: (example) => `Enter a time such as ${example}.` }

export const both = { ar, en }
export const t = texts(both)
