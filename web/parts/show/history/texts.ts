import { texts } from '../../../platform/language.ts'

const ar = {
  today: 'اليوم',
  comma: '، ',
  empty: 'لم يتغيّر شيء منذ أُنشئ.',
  putBack: 'أعده',
  putBackTitle: 'إعادة هذا التغيير',
  notNow: 'ليس الآن',
  cannot: 'لا يُعاد: الحذف القسري نهائي.',
  overwrites: 'نعم، امحُ ذلك أيضًا',
  ended: (names: string) => `انتهت مدتها فلا تعود: ${names}.`,
  done: 'عاد كما كان.',
  lastAdmin: 'لن يبقى مدير مفعّل. اجعل شخصًا آخر مديرًا أولًا.',
  asking: 'يُحسب ما سيتغيّر…',
  moreChips: (count: string) => `+${count}`,
}

const en: typeof ar = {
  today: 'Today',
  comma: ', ',
  empty: 'Nothing has changed since it was made.',
  putBack: 'Put back',
  putBackTitle: 'Put this back',
  notNow: 'Not now',
  cannot: 'A forced deletion is final and can’t be put back.',
  overwrites: 'Yes, undo that as well',
  ended: (names) => `These have ended and don’t come back: ${names}.`,
  done: 'Back as it was',
  lastAdmin: 'No active administrator would be left. Make someone else one first.',
  asking: 'Working out what will change…',
  moreChips: (count) => `+${count}`,
}

export const both = { ar, en }
export const t = texts(both)
