import { countedAr, countedEn, texts } from '../../platform/language.ts'

const ar = {
  meetings: countedAr({
    zero: 'لا اجتماعات اليوم',
    one: 'اجتماع واحد اليوم',
    two: 'اجتماعان اليوم',
    few: '# اجتماعات اليوم',
    many: '# اجتماعًا اليوم',
    other: '# اجتماع اليوم',
  }),
  wholeDay: 'اليوم كله',
  now: 'الآن',
  until: (time: string) => `حتى ${time}`,
  noTime: 'بلا وقت',
}

const en: typeof ar = {
  meetings: countedEn({ one: '# meeting today', other: '# meetings today' }),
  wholeDay: 'Whole day',
  now: 'Now',
  until: (time) => `until ${time}`,
  noTime: 'No time',
}

export const both = { ar, en }
export const t = texts(both)
