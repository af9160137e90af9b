/** The reasons for failed attempts at a provider, in words that tell administrators what to look at. */
import { formatNumber, texts } from '../../../../platform/language.ts'

const ar = {
  denied: 'لم يأذن المزوّد',
  unreachable: 'لم يردّ المزوّد',
  token: 'ردّ لا يُوثق به',
  clock: 'اختلاف في الساعة',
  claims: 'حقول ناقصة',
  not_allowed: 'غير مسموح لهم',
  identity_taken: 'حساب مرتبط بغيرهم',
  expired: 'متأخرة',
  state: 'من متصفح آخر',
  other: 'سبب آخر',
}
const en: typeof ar = {
  denied: 'denied by the provider',
  unreachable: 'provider not answering',
  token: 'untrusted answer',
  clock: 'clocks differ',
  claims: 'claims missing',
  not_allowed: 'not allowed in',
  identity_taken: 'connected to someone else',
  expired: 'too late',
  state: 'from another browser',
  other: 'another reason',
}
const t = texts({ ar, en })

/** A reason with its count: “denied by the provider: 2”. */
export const reasonOf = (reason: string, count: number) =>
  `${t[(Object.hasOwn(ar, reason) ? reason : 'other') as keyof typeof ar]}: ${formatNumber(count)}`
