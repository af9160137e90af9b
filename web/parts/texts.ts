import { countedAr, countedEn, texts } from '../platform/language.ts'

const ar = {
  close: 'إغلاق',
  gotIt: 'أخفِ التلميح',
  undo: 'تراجع',
  messages: 'تنبيهات عابرة',
  nothing: 'لا نتائج',
  more: 'أظهر المزيد',
  loading: 'جارٍ التحميل…',
  retry: 'أعد المحاولة',
  failed: 'تعذّر التحميل',
  failedHint: 'ما كان معروضًا محفوظ. أعد المحاولة بعد قليل.',
  neverHere: 'لم تُفتح هذه الصفحة من قبل على هذا الجهاز',
  neverHereHint: 'تُعرض حين يعود الاتصال.',
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
  gotIt: 'Dismiss tip',
  undo: 'Undo',
  messages: 'Messages',
  nothing: 'No results',
  more: 'Show more',
  loading: 'Loading…',
  retry: 'Try again',
  failed: 'Couldn’t load this',
  failedHint: 'Nothing is lost. Try again in a moment.',
  neverHere: 'Not available offline yet',
  neverHereHint: 'Open it once while you’re online, and it will be here next time.',
  unreached: 'You’re offline, so nothing was changed. Try again when you’re back online.',
  notDone: 'That didn’t work. Try again in a moment.',
  wait: countedEn({ zero: 'Try again now.', one: 'Try again in # second.', other: 'Try again in # seconds.' }),
}

export const both = { ar, en }
export const t = texts(both)
