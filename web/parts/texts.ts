import { countedAr, countedEn, texts } from '../platform/language.ts'

const ar = {
  close: 'إغلاق',
  gotIt: 'أخفِ التلميح',
  undo: 'تراجع',
  notices: 'تنبيهات عابرة',
  nothing: 'لا نتائج',
  showPassword: 'أظهر كلمة المرور',
  hidePassword: 'أخفِ كلمة المرور',
  loading: 'جارٍ التحميل…',
  retry: 'أعد المحاولة',
  failed: 'تعذّر التحميل',
  failedHint: 'ما كان معروضًا محفوظ. أعد المحاولة بعد قليل.',
  unreached: 'لا اتصال بالبوابة، فلم يتغيّر شيء. أعد المحاولة حين يعود.',
  notDone: 'تعذّر ذلك. أعد المحاولة بعد قليل.',
  wait: countedAr({
    zero: 'أعد المحاولة الآن.',
    one: 'أعد المحاولة بعد ثانية.',
    two: 'أعد المحاولة بعد ثانيتين.',
    few: 'أعد المحاولة بعد # ثوانٍ.',
    many: 'أعد المحاولة بعد # ثانية.',
    other: 'أعد المحاولة بعد # ثانية.',
  }),
}

const en: typeof ar = {
  close: 'Close',
  gotIt: 'Hide this hint',
  undo: 'Undo',
  notices: 'Passing messages',
  nothing: 'Nothing found',
  showPassword: 'Show the password',
  hidePassword: 'Hide the password',
  loading: 'Loading…',
  retry: 'Try again',
  failed: 'This could not be loaded',
  failedHint: 'Nothing is lost. Try again in a moment.',
  unreached: 'The portal cannot be reached, so nothing changed. Try again when the connection is back.',
  notDone: 'That did not work. Try again in a moment.',
  wait: countedEn({ zero: 'Try again now.', one: 'Try again in # second.', other: 'Try again in # seconds.' }),
}

export const both = { ar, en }
/** The texts of the parts. */
export const t = texts(both)
