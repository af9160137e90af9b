import { countedAr, countedEn, texts } from '../../../platform/language.ts'

const ar = {
  choice: 'الاختيار',
  choose: (name: string) => `اختر ${name}`,
  chosen: countedAr({
    zero: 'لا شيء مختار',
    one: 'واحد مختار',
    two: 'اثنان مختاران',
    few: '# مختارة',
    many: '# مختارًا',
    other: '# مختار',
  }),
  chooseAll: (count: string) => `اختر كل الـ${count}`,
  clear: 'ألغِ الاختيار',
  keys: { next: 'الصف التالي', former: 'الصف السابق', choose: 'اختيار الصف' },
  asOf: (time: string) => `تعرض الصفحة ما وصل عند ${time}.`,
  retry: 'أعد المحاولة',
  printed: (count: string) => `في القائمة ${count}، ويُطبع منها ما كان على الشاشة.`,
}

const en: typeof ar = {
  choice: 'Choice',
  choose: (name) => `Choose ${name}`,
  chosen: countedEn({ zero: 'None chosen', one: '1 chosen', other: '# chosen' }),
  chooseAll: (count) => `Choose all ${count}`,
  clear: 'Clear choice',
  keys: { next: 'Next row', former: 'Previous row', choose: 'Choose row' },
  asOf: (time) => `This is as of ${time}.`,
  retry: 'Try again',
  printed: (count) => `The list has ${count} rows. Those that were on the screen are printed.`,
}

export const both = { ar, en }

export const t = texts(both)
