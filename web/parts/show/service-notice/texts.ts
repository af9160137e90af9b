import { texts } from '../../../platform/language.ts'

const ar = {
  notice: 'تنبيه',
  noticeHint: 'يُقرأ على بطاقة الخدمة وقبل طلبها.',
  noticeAr: 'التنبيه بالعربية',
  noticeEn: 'التنبيه بالإنجليزية',
  paused: 'موقوفة مؤقتًا',
  pausedHint: 'يراها الناس ولا يطلبونها.',
  until: 'حتى نهاية يوم',
  untilHint: 'بعده يزول التنبيه والإيقاف تلقائيًا. اتركه فارغًا ليبقيا حتى تزيلهما.',
  optional: 'اختياري',
  noticeSaved: 'حُفظ التنبيه.',
  soldOutHint: 'ما نفد يراه الناس ولا يختارونه.',
  soldOutOf: (option: string) => `نفد: ${option}`,
  noOptions: 'ليس في نموذج هذه الخدمة خيارات.',
}

const en: typeof ar = {
  notice: 'Notice',
  noticeHint: 'People read it on the card of the service, and before they order.',
  noticeAr: 'Notice in Arabic',
  noticeEn: 'Notice in English',
  paused: 'Paused',
  pausedHint: 'People see it, but can’t order it.',
  until: 'Until the end of',
  untilHint: 'Then the notice and the pause end by themselves. Leave it empty to keep them until you take them away.',
  optional: 'optional',
  noticeSaved: 'Notice saved',
  soldOutHint: 'People see what is sold out, but can’t choose it.',
  soldOutOf: (option) => `Sold out: ${option}`,
  noOptions: 'The form of this service has no options.',
}

/** Both languages, for tests. */
export const both = { ar, en }
export const t = texts(both)
