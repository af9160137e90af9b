import { texts } from '../platform/language.ts'

const ar = {
  enrol: (day: string) => `يتطلب دورك وسيلة تحقق ثانية. أضفها قبل ${day} لتبقى البوابة مفتوحة لك.`,
  set: 'أضفها الآن',
}
const en: typeof ar = {
  enrol: (day) => `Your role requires a second step when signing in. Set it up before ${day} to keep the portal open.`,
  set: 'Set it up now',
}
export const both = { ar, en }
export const t = texts(both)
