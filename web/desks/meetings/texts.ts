import { texts } from '../../platform/language.ts'

const ar = {
  title: 'الاجتماعات',
  places: 'أماكن الاجتماعات',
  names: { today: 'اليوم', week: 'الأسبوع', requests: 'الطلبات', tasks: 'المهام', printed: 'المطبوع', log: 'السجل' },
  counts: { waiting: 'تنتظر', open: 'لم تُنجز' },
  kinds: { request: 'طلب', task: 'مهمة' },
  acts: { meeting: 'أضف اجتماعًا', task: 'أضف مهمة', print: 'اطبع جدول اليوم' },
  gone: 'حُذف هذا الاجتماع، أو لم يكن',
  toDay: 'إلى اجتماعات اليوم',
}

const en: typeof ar = {
  title: 'Meetings',
  places: 'Places of the meetings',
  names: { today: 'Today', week: 'Week', requests: 'Requests', tasks: 'Tasks', printed: 'Printed', log: 'Log' },
  counts: { waiting: 'waiting', open: 'not done' },
  kinds: { request: 'Request', task: 'Task' },
  acts: { meeting: 'Add a meeting', task: 'Add a task', print: 'Print today’s schedule' },
  gone: 'This meeting was deleted, or never was',
  toDay: 'The day’s meetings',
}

export const both = { ar, en }

/** Texts that several pages of the meetings use. */
export const t = texts(both)
