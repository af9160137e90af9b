import { texts } from '../platform/language.ts'

const ar = {
  hint: 'تطبيقات وخدمات وأشخاص وأوامر',
  nothing: 'لا نتائج',
  searching: 'جارٍ البحث…',
  partly: 'تعذّر البحث في بعض الأماكن.',
  groups: {
    recent: 'آخر ما فتحته',
    acts: 'أوامر',
    pages: 'صفحات',
    services: 'اطلب',
    apps: 'تطبيقات',
    orders: 'طلباتك الجارية',
    people: 'الأشخاص والصلاحيات',
    notes: 'ملاحظات',
    past: 'طلبات سابقة',
  },
}

const en: typeof ar = {
  hint: 'Apps, services, people, commands',
  nothing: 'No results',
  searching: 'Searching…',
  partly: 'Some places couldn’t be searched.',
  groups: {
    recent: 'Recent',
    acts: 'Commands',
    pages: 'Pages',
    services: 'Order',
    apps: 'Apps',
    orders: 'Orders in progress',
    people: 'People and access',
    notes: 'Notes',
    past: 'Past orders',
  },
}

export const both = { ar, en }

export const t = texts(both)
