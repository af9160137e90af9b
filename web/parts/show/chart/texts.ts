import { texts } from '../../../platform/language.ts'

const ar = {
  table: 'جدول',
  chart: 'رسم',
  day: 'اليوم',
  week: 'الأسبوع من',
  point: (day: string, value: string) => `${day}: ${value}`,
  pointBefore: (day: string, value: string, before: string) => `${day}: ${value}، قبلها ${before}`,
  weekOf: (day: string) => `الأسبوع من ${day}`,
  weekly: 'كل نقطة مجموع أسبوع.',
  keys: 'الأسهم بين النقاط.',
}

const en: typeof ar = {
  table: 'As a table',
  chart: 'As a chart',
  day: 'Day',
  week: 'Week from',
  point: (day, value) => `${day}: ${value}`,
  pointBefore: (day, value, before) => `${day}: ${value}, before ${before}`,
  weekOf: (day) => `Week from ${day}`,
  weekly: 'Each point is the sum of a week.',
  keys: 'Arrow keys move between points.',
}

export const both = { ar, en }
export const t = texts(both)
