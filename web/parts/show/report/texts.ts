import { countedAr, countedEn, texts } from '../../../platform/language.ts'

const placedAr = countedAr({ zero: 'لا طلبات', one: 'طلب واحد', two: 'طلبان', few: '# طلبات', many: '# طلبًا', other: '# طلب' })
const placedEn = countedEn({ zero: 'No orders', one: 'One order', other: '# orders' })

const ar = {
  empty: 'لا طلبات في هذه المدة.',
  emptyHint: 'جرّب مدة أطول.',
  failed: 'تعذّر تحميل الأرقام.',
  days: 'الطلبات بحسب يوم تقديمها',
  placed: 'المقدَّمة',
  table: 'الأرقام بحسب الخدمة',
  service: 'الخدمة',
  all: 'كل الخدمات',
  completed: 'المنجزة',
  cancelled: 'الملغاة',
  denied: 'المرفوضة',
  lapsed: 'انقضت مهلتها',
  reopened: 'أُعيد فتحها',
  open: 'الجارية',
  late: 'المتأخرة',
  received: 'استُلم في موعده',
  done: 'أُنجز في موعده',
  toReceive: 'حتى الاستلام',
  toComplete: 'حتى الإنجاز',
  file: 'CSV',
  fileOf: (service: string) => `نزّل طلبات ${service} في ملف CSV`,
  /** The hint that explains a 90th percentile. */
  p90: (time: string) => `تسعة من كل عشرة طلبات خلال ${time}`,
  outOf: (count: string, base: string) => `${count} من ${base}`,
  timesHint: 'الوسيط من ساعات الدوام، بلا أوقات الانتظار.',
  sentence: (placed: number, completed: string, late: string) =>
    placed === 0 ? placedAr(0) : `${placedAr(placed)}، المنجز منها ${completed}، والمتأخر ${late}.`,
}

const en: typeof ar = {
  empty: 'No orders in this period.',
  emptyHint: 'Try a longer one.',
  failed: 'The figures couldn’t be loaded.',
  days: 'Orders by the day they were placed',
  placed: 'Placed',
  table: 'Figures by service',
  service: 'Service',
  all: 'All services',
  completed: 'Completed',
  cancelled: 'Cancelled',
  denied: 'Denied',
  lapsed: 'Lapsed',
  reopened: 'Reopened',
  open: 'Open',
  late: 'Late',
  received: 'Claimed on time',
  done: 'Completed on time',
  toReceive: 'Until claimed',
  toComplete: 'Until completed',
  file: 'CSV',
  fileOf: (service) => `Download the orders of ${service} as CSV`,
  p90: (time) => `Nine of ten orders within ${time}`,
  outOf: (count, base) => `${count} of ${base}`,
  timesHint: 'The median in working time, without waits.',
  sentence: (placed, completed, late) => (placed === 0 ? placedEn(0) : `${placedEn(placed)}, ${completed} completed, ${late} late.`),
}

export const both = { ar, en }
export const t = texts(both)
