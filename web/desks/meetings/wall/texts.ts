import { texts } from '../../../platform/language.ts'

const ar = {
  title: 'شاشة القاعة',
  now: 'الآن',
  left: (left: string) => `والباقي ${left}`,
  soon: (left: string) => `بعد ${left}`,
  next: 'التالي',
  later: 'بعده',
  over: 'انتهت اجتماعات اليوم.',
  none: 'لا اجتماعات اليوم.',
  asOf: (time: string) => `آخر تحديث ${time}`,
  leave: 'عُد إلى اليوم',
  whole: 'ملء الشاشة',
  comma: '، ',
  passed: (percent: string) => `مضى ${percent} من الاجتماع`,
}

const en: typeof ar = {
  title: 'Hall screen',
  now: 'Now',
  left: (left) => `${left} left`,
  soon: (left) => `in ${left}`,
  next: 'Next',
  later: 'Then',
  over: 'The meetings of today are over.',
  none: 'No meetings today.',
  asOf: (time) => `Last update ${time}`,
  leave: 'Back to the day',
  whole: 'Full screen',
  comma: ', ',
  passed: (percent) => `${percent} of the meeting has passed`,
}

export const both = { ar, en }
export const t = texts(both)
