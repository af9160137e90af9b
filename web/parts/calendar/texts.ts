import { countedAr, countedEn, texts } from '../../platform/language.ts'

const ar = {
  calendar: 'التقويم',
  open: 'افتح التقويم',
  gregorian: 'ميلادي',
  hijri: 'هجري',
  before: 'الشهر السابق',
  after: 'الشهر التالي',
  today: 'اليوم',
  placeholder: 'مثل 24/11/2026 أو 14/6/1448',
  unknown: 'هذا ليس تاريخًا. اكتب مثل 24/11/2026 أو 14/6/1448.',
  tooEarly: (day: string) => `أقدم ما يُقبل ${day}.`,
  tooLate: (day: string) => `أحدث ما يُقبل ${day}.`,
  keys: 'الأسهم بين الأيام، وPage Up وPage Down بين الشهور، ومع Shift بين السنين، وT لليوم.',
  comma: '، ',
  from: 'من',
  to: 'إلى',
  span: 'المدة',
  days: countedAr({
    zero: 'لا أيام',
    one: 'آخر يوم',
    two: 'آخر يومين',
    few: 'آخر # أيام',
    many: 'آخر # يومًا',
    other: 'آخر # يوم',
  }),
  custom: 'من – إلى',
  backwards: 'النهاية قبل البداية.',
  tooLong: 'أقصى مدة سنة واحدة.',
}

const en: typeof ar = {
  calendar: 'Calendar',
  open: 'Open the calendar',
  gregorian: 'Gregorian',
  hijri: 'Hijri',
  before: 'Previous month',
  after: 'Next month',
  today: 'Today',
  placeholder: 'such as 24/11/2026 or 14/6/1448',
  unknown: 'This is no date. Type one such as 24/11/2026 or 14/6/1448.',
  tooEarly: (day) => `The earliest is ${day}.`,
  tooLate: (day) => `The latest is ${day}.`,
  keys: 'Arrows move by days, Page Up and Page Down by months, with Shift by years, T goes to today.',
  comma: ', ',
  from: 'From',
  to: 'To',
  span: 'Period',
  days: countedEn({ one: 'Last day', other: 'Last # days' }),
  custom: 'From – to',
  backwards: 'The end is before the start.',
  tooLong: 'At most one year.',
}

export const both = { ar, en }
export const t = texts(both)
