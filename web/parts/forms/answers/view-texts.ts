import { formatNumber, texts } from '../../../platform/language.ts'

const ar = {
  yes: 'نعم',
  no: 'لا',
  comma: '، ',
  times: (count: number, what: string) => `${formatNumber(count)} × ${what}`,
  answers: 'الإجابات',
  unanswered: 'بلا إجابات',
}
const en: typeof ar = {
  yes: 'Yes',
  no: 'No',
  comma: ', ',
  times: (count, what) => `${formatNumber(count)} × ${what}`,
  answers: 'Answers',
  unanswered: 'No answers',
}

export const both = { ar, en }
export const t = texts(both)
