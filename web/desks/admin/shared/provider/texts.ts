import { countedAr, countedEn, texts } from '../../../../platform/language.ts'

const ar = {
  offHint: 'لا يظهر في صفحة الدخول.',
  lastSignIn: (ago: string) => `لا دخول في 24 ساعة، وآخر دخول ${ago}.`,
  nobodyYet: 'لم يدخل به أحد بعد.',
  signIns: countedAr({
    zero: 'لا دخول في 24 ساعة.',
    one: 'دخول واحد في 24 ساعة.',
    two: 'دخولان في 24 ساعة.',
    few: '# مرات دخول في 24 ساعة.',
    many: '# مرة دخول في 24 ساعة.',
    other: '# مرة دخول في 24 ساعة.',
  }),
  refusals: (count: number, reasons: string) => `${refusalsAr(count)} (${reasons}).`,
  overage: countedAr({
    zero: '',
    one: 'دخول واحد بلا مجموعات لأنها أكثر مما يرسله المزوّد؛ اجعله يرسل المجموعات المسندة إلى التطبيق وحدها.',
    two: 'دخولان بلا مجموعات لأنها أكثر مما يرسله المزوّد؛ اجعله يرسل المجموعات المسندة إلى التطبيق وحدها.',
    few: '# مرات دخول بلا مجموعات لأنها أكثر مما يرسله المزوّد؛ اجعله يرسل المجموعات المسندة إلى التطبيق وحدها.',
    many: '# مرة دخول بلا مجموعات لأنها أكثر مما يرسله المزوّد؛ اجعله يرسل المجموعات المسندة إلى التطبيق وحدها.',
    other: '# مرة دخول بلا مجموعات لأنها أكثر مما يرسله المزوّد؛ اجعله يرسل المجموعات المسندة إلى التطبيق وحدها.',
  }),
}

const refusalsAr = countedAr({
  zero: 'لم يُرفض أحد',
  one: 'رُفضت محاولة',
  two: 'رُفضت محاولتان',
  few: 'رُفضت # محاولات',
  many: 'رُفضت # محاولة',
  other: 'رُفضت # محاولة',
})
const refusalsEn = countedEn({ one: '# attempt refused', other: '# attempts refused' })
const overageEn =
  'without groups, because there are more than the provider sends; have it send only the groups assigned to the application.'

const en: typeof ar = {
  offHint: 'Not on the sign-in page.',
  lastSignIn: (ago) => `No sign-ins in 24 hours; the last was ${ago}.`,
  nobodyYet: 'Nobody has signed in through it yet.',
  signIns: countedEn({ zero: 'No sign-ins in 24 hours.', one: '# sign-in in 24 hours.', other: '# sign-ins in 24 hours.' }),
  refusals: (count, reasons) => `${refusalsEn(count)} (${reasons}).`,
  overage: countedEn({ one: `# sign-in ${overageEn}`, other: `# sign-ins ${overageEn}` }),
}

export const both = { ar, en }
export const t = texts(both)
