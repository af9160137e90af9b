import { countedAr, countedEn, texts } from '../../../platform/language.ts'

const ar = {
  inDays: countedAr({
    zero: 'ينتهي اليوم',
    one: 'ينتهي بعد يوم',
    two: 'ينتهي بعد يومين',
    few: 'ينتهي بعد # أيام',
    many: 'ينتهي بعد # يومًا',
    other: 'ينتهي بعد # يوم',
  }),
  withinHours: countedAr({
    zero: 'ينتهي قريبًا',
    one: 'ينتهي خلال ساعة',
    two: 'ينتهي خلال ساعتين',
    few: 'ينتهي خلال # ساعات',
    many: 'ينتهي خلال # ساعة',
    other: 'ينتهي خلال # ساعة',
  }),
  until: (day: string) => `حتى ${day}`,
  over: 'انتهى',
  none: 'بلا نهاية',
  exactly: (moment: string) => `ينتهي ${moment}`,
  after: countedAr({
    zero: '',
    one: 'بعد يوم',
    two: 'بعد يومين',
    few: 'بعد # أيام',
    many: 'بعد # يومًا',
    other: 'بعد # يوم',
  }),
  onDay: 'في يوم معيّن',
}

const en: typeof ar = {
  inDays: countedEn({ zero: 'Ends today', one: 'Ends in # day', other: 'Ends in # days' }),
  withinHours: countedEn({ zero: 'Ends soon', one: 'Ends within an hour', other: 'Ends within # hours' }),
  until: (day) => `Until ${day}`,
  over: 'Ended',
  none: 'No end',
  exactly: (moment) => `Ends on ${moment}`,
  after: countedEn({ one: 'In # day', other: 'In # days' }),
  onDay: 'On a certain day',
}

export const both = { ar, en }
export const t = texts(both)
