import { texts } from '../../../../platform/language.ts'

const ar = {
  when: 'متى',
  now: 'الآن',
  at: (day: string, time: string) => `في ${day}، ${time}`,
  day: 'اليوم',
  time: 'الساعة',
  optional: 'اختياري',
  hint: 'من غير ساعة: آخر اليوم.',
  tooLate: 'اختر وقتًا لا يتجاوز اللحظة الحالية.',
  show: 'اعرض',
  backToNow: 'عد إلى الآن',
}

const en: typeof ar = {
  when: 'When',
  now: 'now',
  at: (day, time) => `on ${day} at ${time}`,
  day: 'Day',
  time: 'Time',
  optional: 'optional',
  hint: 'Without a time: the end of the day.',
  tooLate: 'Choose a moment that isn’t later than now.',
  show: 'Show',
  backToNow: 'Back to now',
}

export const both = { ar, en }
export const t = texts(both)
