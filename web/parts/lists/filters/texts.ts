import { texts } from '../../../platform/language.ts'

const ar = {
  wrong: 'في العنوان مرشّح لا معنى له، فتُرك.',
  clear: 'امسح المرشحات',
  days: 'متى',
  allDays: 'كل الأيام',
  since: (day: string) => `منذ ${day}`,
  until: (day: string) => `حتى ${day}`,
  from: 'من يوم',
  to: 'إلى يوم',
  utc: 'الأيام بالتوقيت العالمي (UTC).',
}

const en: typeof ar = {
  wrong: 'A filter in the address isn’t valid and was ignored.',
  clear: 'Clear filters',
  days: 'When',
  allDays: 'All days',
  since: (day) => `Since ${day}`,
  until: (day) => `Until ${day}`,
  from: 'From',
  to: 'To',
  utc: 'Days are counted in UTC.',
}

export const both = { ar, en }

export const t = texts(both)
