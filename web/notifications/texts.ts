import { countedAr, countedEn, texts } from '../platform/language.ts'

const ar = {
  title: 'الإشعارات',
  show: 'المعروض',
  all: 'الكل',
  unread: 'غير المقروءة',
  isUnread: 'غير مقروء',
  readAll: 'اجعلها كلها مقروءة',
  allRead: 'صارت كلها مقروءة.',
  count: countedAr({
    zero: 'لا إشعارات غير مقروءة',
    one: 'إشعار واحد غير مقروء',
    two: 'إشعاران غير مقروءين',
    few: '# إشعارات غير مقروءة',
    many: '# إشعارًا غير مقروء',
    other: '# إشعار غير مقروء',
  }),
  today: 'اليوم',
  yesterday: 'أمس',
  more: 'اعرض الأقدم',
  none: 'لا إشعارات بعد',
  noneHint: 'يصلك هنا خبر طلباتك وملاحظاتك واجتماعاتك حال حدوثه.',
  noneUnread: 'قرأت كل شيء',
  noneUnreadHint: 'لا جديد ينتظرك.',
  showAll: 'اعرض الكل',
  notDone: 'تعذّر ذلك لانقطاع الاتصال. أعد المحاولة عند عودته.',
}

const en: typeof ar = {
  title: 'Notifications',
  show: 'Shown',
  all: 'All',
  unread: 'Unread',
  isUnread: 'Unread',
  readAll: 'Mark all as read',
  allRead: 'All are marked as read.',
  count: countedEn({ zero: 'Nothing unread', one: '# unread notification', other: '# unread notifications' }),
  today: 'Today',
  yesterday: 'Yesterday',
  more: 'Show older ones',
  none: 'No notifications yet',
  noneHint: 'News of your orders, notes and meetings arrives here as it happens.',
  noneUnread: 'You have read everything',
  noneUnreadHint: 'Nothing new is waiting for you.',
  showAll: 'Show all',
  notDone: 'That was not done: there is no connection. Try again when it is back.',
}

export const t = texts({ ar, en })
