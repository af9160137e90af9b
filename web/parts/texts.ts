import { texts } from '../platform/language.ts'

const ar = {
  close: 'إغلاق',
  undo: 'تراجع',
  notices: 'تنبيهات عابرة',
  nothing: 'لا نتائج',
  showPassword: 'أظهر كلمة المرور',
  hidePassword: 'أخفِ كلمة المرور',
  loading: 'جارٍ التحميل…',
  retry: 'أعد المحاولة',
  failed: 'تعذّر التحميل',
  failedHint: 'ما كان معروضًا محفوظ. أعد المحاولة بعد قليل.',
}

const en: typeof ar = {
  close: 'Close',
  undo: 'Undo',
  notices: 'Passing messages',
  nothing: 'Nothing found',
  showPassword: 'Show the password',
  hidePassword: 'Hide the password',
  loading: 'Loading…',
  retry: 'Try again',
  failed: 'This could not be loaded',
  failedHint: 'Nothing is lost. Try again in a moment.',
}

/** The texts of the parts. */
export const t = texts({ ar, en })
