import { texts } from '../../platform/language.ts'

const ar = {
  hint: 'يدخل بالرمز برنامج باسمك دون كلمة مرورك، ولا يفعل إلا ما تسمح به.',
  none: 'لا رموز لك.',
  add: 'أنشئ رمزًا',
  fresh: 'رمز جديد',
  off: 'أوقف مدير البوابة رموز الأشخاص، فلا يعمل شيء منها الآن.',
}
const en: typeof ar = {
  hint: 'With one, a program or a script acts in your name, without your password, and does only what you allow.',
  none: 'You have no tokens.',
  add: 'Make a token',
  fresh: 'New token',
  off: 'An administrator has switched off people’s tokens, so none of them works now.',
}

export const both = { ar, en }
export const t = texts(both)
