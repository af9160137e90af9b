import { texts } from '../../../platform/language.ts'

const ar = {
  by: (moment: string) => `بحلول ${moment}`,
  receivedBy: (moment: string) => `يُستلم بحلول ${moment}`,
  late: (moment: string) => `متأخر، كان موعده ${moment}`,
  wanted: (moment: string) => `مطلوب ${moment}`,
  wantedBefore: (moment: string) => `مطلوب ${moment}، قبل موعد إنجازه`,
  completed: (moment: string) => `اكتمل ${moment}`,
}
const en: typeof ar = {
  by: (moment) => `by ${moment}`,
  receivedBy: (moment) => `to be claimed by ${moment}`,
  late: (moment) => `late, was due ${moment}`,
  wanted: (moment) => `wanted ${moment}`,
  wantedBefore: (moment) => `wanted ${moment}, before it is due`,
  completed: (moment) => `completed ${moment}`,
}

export const both = { ar, en }
export const t = texts(both)
