import { countedAr, countedEn, texts } from '../../../platform/language.ts'

const ar = {
  title: (days: string) => `الأسبوع ${days}`,
  from: 'من ',
  to: (_isWithinMonth: boolean) => ' إلى ',
  before: 'الأسبوع السابق',
  after: 'الأسبوع التالي',
  toThis: 'إلى هذا الأسبوع',
  week: 'أيام الأسبوع',
  free: 'لا اجتماعات',
  freeMorning: 'صباح بلا اجتماع',
  freeAfternoon: 'بعد ظهر بلا اجتماع',
  noTime: 'بلا وقت',
  cancelled: 'ملغى',
  postponed: 'مؤجّل',
  highlighted: 'مميّز',
  clash: 'يتداخل مع اجتماع آخر',
  meetings: countedAr({
    zero: 'لا اجتماعات',
    one: 'اجتماع واحد',
    two: 'اجتماعان',
    few: '# اجتماعات',
    many: '# اجتماعًا',
    other: '# اجتماع',
  }),
  keys: 'الأسهم بين الأيام والاجتماعات.',
  asOf: (time: string) => `هذا ما كان عند ${time}.`,
}

const en: typeof ar = {
  title: (days) => `Week of ${days}`,
  from: '',
  to: (isWithinMonth) => (isWithinMonth ? '–' : ' – '),
  before: 'Previous week',
  after: 'Next week',
  toThis: 'Go to this week',
  week: 'Days of the week',
  free: 'No meetings',
  freeMorning: 'Free morning',
  freeAfternoon: 'Free afternoon',
  noTime: 'No time',
  cancelled: 'Cancelled',
  postponed: 'Postponed',
  highlighted: 'Highlighted',
  clash: 'Overlaps another meeting',
  meetings: countedEn({ one: '# meeting', other: '# meetings' }),
  keys: 'Arrows move between days and meetings.',
  asOf: (time) => `This is as of ${time}.`,
}

export const both = { ar, en }
export const t = texts(both)
