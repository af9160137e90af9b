import { texts } from '../../../platform/language.ts'

const ar = { notUndone: 'تغيّر الترتيب بعد ذلك، فبقي على حاله.' }
const en: typeof ar = { notUndone: 'The order has been changed since, so it was left as it is.' }

export const both = { ar, en }
export const t = texts(both)
