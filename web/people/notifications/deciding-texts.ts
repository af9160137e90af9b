import { countedAr, countedEn, texts } from '../../platform/language.ts'

const ar = {
  noReason: 'لم يُذكر سبب.',
  forDays: countedAr({ zero: '', one: 'ليوم واحد', two: 'ليومين', few: 'لـ# أيام', many: 'لـ# يومًا', other: 'لـ# يوم' }),
  noEnd: 'بلا نهاية',
  gains: (things: string) => `يمنح ${things}.`,
  gainsNothing: 'لا يمنح جديدًا.',
  approve: 'وافق',
  deny: 'ارفض',
  denyWhy: 'سبب الرفض',
  denyMissing: 'اكتب سبب الرفض.',
  approved: (person: string, group: string) => `قُبل طلب ${person}: ${group}`,
  approvedFirst: (person: string, group: string) => `سُجّلت موافقتك على طلب ${person}: ${group}`,
  denied: (person: string, group: string) => `رُفض طلب ${person}: ${group}`,
  decidedMeanwhile: 'لم يعد ينتظر قرارك.',
  changedMeanwhile: 'تغيّر الطلب أو ما يمنحه. هذا ما هو عليه الآن.',
}

const en: typeof ar = {
  noReason: 'No reason given.',
  forDays: countedEn({ one: 'For # day', other: 'For # days' }),
  noEnd: 'No end date',
  gains: (things) => `Gives ${things}.`,
  gainsNothing: 'Gives nothing new.',
  approve: 'Approve',
  deny: 'Deny',
  denyWhy: 'Why you’re denying it',
  denyMissing: 'Say why you’re denying it.',
  approved: (person, group) => `${person} joined ${group}`,
  approvedFirst: (person, group) => `You approved ${person}’s request: ${group}`,
  denied: (person, group) => `You denied ${person}’s request: ${group}`,
  decidedMeanwhile: 'It’s no longer waiting for you.',
  changedMeanwhile: 'The request, or what it gives, has changed. This is how it is now.',
}

export const both = { ar, en }

/** The texts of a decision in a notification. */
export const t = texts(both)
