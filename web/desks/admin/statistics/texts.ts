import { countedAr, countedEn, formatNumber, texts } from '../../../platform/language.ts'
import type { Change } from './data.ts'

/** A piece of a sentence. A pair is a kind of emphasis with its text. */
export type Piece = string | ['number' | 'change', string]

const percent = (share: number) => formatNumber(share, { style: 'percent' })

const timesAr = countedAr({ zero: '', one: 'مرة واحدة', two: 'مرتين', few: '# مرات', many: '# مرة', other: '# مرة' })
const lastAr = countedAr({
  zero: '',
  one: 'في هذا اليوم',
  two: 'في آخر يومين',
  few: 'في آخر # أيام',
  many: 'في آخر # يومًا',
  other: 'في آخر # يوم',
})
const beforeAr = countedAr({
  zero: '',
  one: 'اليوم الذي قبله',
  two: 'اليومين اللذين قبلهما',
  few: 'الأيام الـ# التي قبلها',
  many: 'الأيام الـ# التي قبلها',
  other: 'الأيام الـ# التي قبلها',
})
const openingsEn = countedEn({ one: '1', other: '#' })
const lastEn = countedEn({ one: 'today', other: 'in the last # days' })
const beforeEn = countedEn({ one: 'the day before', other: 'in the # days before' })

const ar = {
  title: 'الإحصاءات',
  purpose: 'ما يفتحه الناس، ومن انضم، مقارنًا بالمدة التي قبلها.',
  window: 'المدة',
  /** A sentence about the number of openings. `isCustom`: the days were chosen freely. */
  lead: (opens: number, days: number, isCustom: boolean, change: Change | undefined): Piece[] => [
    'فُتحت التطبيقات ',
    ['number', timesAr(opens)],
    isCustom ? ' في هذه المدة' : ` ${lastAr(days)}`,
    ...(change === undefined
      ? ['.']
      : 'share' in change
        ? [
            '، ',
            ['change', `${change.kind === 'more' ? 'بزيادة' : 'بنقص'} ${percent(change.share)}`] satisfies Piece,
            ` عن ${beforeAr(days)}.`,
          ]
        : [change.kind === 'new' ? `، ولم تُفتح في ${beforeAr(days)}.` : `، كما في ${beforeAr(days)}.`]),
  ],
  fromTo: (from: string, to: string) => `من ${from} إلى ${to}`,
  utc: 'الأيام بتوقيت غرينتش.',
  now: 'هذه الأيام',
  before: 'التي قبلها',
  lowest: (day: string, count: number) => (count === 0 ? `لم يُفتح شيء ${day}.` : `أقلّها ${day}: ${timesOf(count)}.`),
  joined: countedAr({
    zero: 'لم ينضم أحد',
    one: 'انضم شخص واحد',
    two: 'انضم شخصان',
    few: 'انضم # أشخاص',
    many: 'انضم # شخصًا',
    other: 'انضم # شخص',
  }),
  joinedBefore: (count: string) => `(${count} قبلها)`,
  added: countedAr({
    zero: 'ولم تُضف خدمة',
    one: 'وأُضيفت خدمة',
    two: 'وأُضيفت خدمتان',
    few: 'وأُضيفت # خدمات',
    many: 'وأُضيفت # خدمة',
    other: 'وأُضيفت # خدمة',
  }),
  active: countedAr({
    zero: 'ولا تُطلب خدمة',
    one: 'وتُطلب خدمة واحدة',
    two: 'وتُطلب خدمتان',
    few: 'وتُطلب # خدمات',
    many: 'وتُطلب # خدمة',
    other: 'وتُطلب # خدمة',
  }),
  off: countedAr({
    zero: '',
    one: ' وواحدة موقوفة',
    two: ' واثنتان موقوفتان',
    few: ' و# موقوفة',
    many: ' و# موقوفة',
    other: ' و# موقوفة',
  }),
  comma: '، ',
  topApps: 'أكثر التطبيقات فتحًا',
  topPeople: 'أكثر الناس استخدامًا',
  empty: 'لم يُفتح تطبيق في هذه المدة.',
  emptyHint: 'جرّب مدة أطول.',
  failed: 'تعذّر تحميل الإحصاءات.',
  failedOpens: 'تعذّر تحميل مرات الفتح.',
  openings: countedAr({
    zero: 'لم يُفتح في هذه المدة.',
    one: 'فُتح مرة واحدة في هذه المدة.',
    two: 'فُتح مرتين في هذه المدة.',
    few: 'فُتح # مرات في هذه المدة.',
    many: 'فُتح # مرة في هذه المدة.',
    other: 'فُتح # مرة في هذه المدة.',
  }),
  openingsBy: countedAr({
    zero: 'لم يُفتح أي تطبيق في هذه المدة.',
    one: 'مرة واحدة في هذه المدة.',
    two: 'مرتان في هذه المدة.',
    few: '# مرات في هذه المدة.',
    many: '# مرة في هذه المدة.',
    other: '# مرة في هذه المدة.',
  }),
  more: 'أظهر المزيد',
  gone: 'لم يعد موجودًا',
}
/** “44 times”, in the nominative. */
const timesOf = countedAr({ zero: '', one: 'مرة واحدة', two: 'مرتان', few: '# مرات', many: '# مرة', other: '# مرة' })

const en: typeof ar = {
  title: 'Statistics',
  purpose: 'What people open and who joined, compared with the days before.',
  window: 'Period',
  lead: (opens, days, isCustom, change) => [
    ['number', openingsEn(opens)],
    opens === 1 ? ' app opening' : ' app openings',
    isCustom ? ' in this period' : ` ${lastEn(days)}`,
    ...(change === undefined
      ? ['.']
      : 'share' in change
        ? [', ', ['change', `${percent(change.share)} ${change.kind}`] satisfies Piece, ` than ${beforeEn(days)}.`]
        : [change.kind === 'new' ? `, and none ${beforeEn(days)}.` : `, as many as ${beforeEn(days)}.`]),
  ],
  fromTo: (from, to) => `${from} to ${to}`,
  utc: 'Days are in UTC.',
  now: 'These days',
  before: 'The days before',
  lowest: (day, count) => `Lowest on ${day}: ${formatNumber(count)}.`,
  joined: countedEn({ zero: 'Nobody joined', one: '# person joined', other: '# people joined' }),
  joinedBefore: (count) => `(${count} before)`,
  added: countedEn({ zero: 'no services were added', one: '# service was added', other: '# services were added' }),
  active: countedEn({ zero: 'none can be ordered', one: '# can be ordered', other: '# can be ordered' }),
  off: countedEn({ one: ' and # is off', other: ' and # are off' }),
  comma: ', ',
  topApps: 'Most opened apps',
  topPeople: 'Most active people',
  empty: 'No app was opened in this period.',
  emptyHint: 'Try a longer one.',
  failed: 'The statistics couldn’t be loaded.',
  failedOpens: 'The openings couldn’t be loaded.',
  openings: countedEn({
    zero: 'Never opened in this period.',
    one: 'Opened once in this period.',
    other: 'Opened # times in this period.',
  }),
  openingsBy: countedEn({ zero: 'No app opened in this period.', one: 'One opening in this period.', other: '# openings in this period.' }),
  more: 'Show more',
  gone: 'No longer there',
}

export const both = { ar, en }

export const t = texts(both)
