import { texts } from '../platform/language.ts'

const ar = {
  title: 'أكّد أنك أنت',
  hint: 'ما طلبته يمسّ أمان حساب أو أمان البوابة. أكّد هويتك ليُنفَّذ، ولن تُسأل مرة أخرى مدة 15 دقيقة.',
  noWay: 'ليست لحسابك طريقة يؤكد بها هويته هنا. اخرج ثم ادخل من جديد، ثم أعد المحاولة.',
  passkey: 'استخدم مفتاح مرور',
  password: 'كلمة المرور',
  confirm: 'أكّد',
  provider: (name: string) => `أكّد عن طريق ${name}`,
  or: 'أو',
}
const en: typeof ar = {
  title: 'Confirm it’s you',
  hint: 'What you asked for affects the security of an account or of the portal. Confirm it’s you to go on; you won’t be asked again for 15 minutes.',
  noWay: 'Your account has no way to confirm here. Sign out and in again, then try once more.',
  passkey: 'Use a passkey',
  password: 'Password',
  confirm: 'Confirm',
  provider: (name) => `Confirm with ${name}`,
  or: 'or',
}
export const both = { ar, en }
export const t = texts(both)
