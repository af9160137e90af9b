import { countedAr, countedEn, isolated, texts } from '../../platform/language.ts'

const ar = {
  factors: 'الدخول والتحقق',
  password: 'له كلمة مرور.',
  noPassword: 'ليست له كلمة مرور.',
  passkeys: countedAr({
    zero: '',
    one: 'مفتاح مرور واحد.',
    two: 'مفتاحا مرور.',
    few: '# مفاتيح مرور.',
    many: '# مفتاح مرور.',
    other: '# مفتاح مرور.',
  }),
  totp: (day: string) => `تطبيق مصادقة منذ ${day}.`,
  codes: countedAr({
    zero: 'لم يبقَ له رمز استرداد.',
    one: 'بقي له رمز استرداد واحد.',
    two: 'بقي له رمزا استرداد.',
    few: 'بقيت له # رموز استرداد.',
    many: 'بقي له # رمز استرداد.',
    other: 'بقي له # رمز استرداد.',
  }),
  noFactor: 'بلا وسيلة تحقق ثانية.',
  due: (day: string) => `يتطلب دوره وسيلة تحقق ثانية قبل ${day}.`,
  overdue: (day: string) => `يتطلب دوره وسيلة تحقق ثانية، والبوابة مغلقة عليه منذ ${day}.`,
  removeFactors: 'أزل وسائل التحقق كلها',
  removeFactorsHint: (name: string) =>
    `لمن ضاع هاتفه ورموزه. تُزال مفاتيح مرور ${isolated(name)} وتطبيق المصادقة ورموز الاسترداد، وتنتهي جلساته ورموز الواجهة، ويصله خبر ذلك. تأكد أولًا أنه هو من يطلب.`,
  factorsRemoved: (name: string) => `أُزيلت وسائل تحقق ${isolated(name)}.`,
  keep: 'أبقِها',
  identities: 'حسابات مرتبطة',
  noIdentities: 'لا يدخل عن طريق مزوّد.',
  unlink: 'افصله',
  unlinkNamed: (provider: string) => `افصل حسابه لدى ${provider}`,
  unlinkHint: (name: string, provider: string) => `لن يدخل ${isolated(name)} بعد الآن عن طريق ${isolated(provider)} حتى يربطه من جديد.`,
  unlinked: (provider: string) => `فُصل حسابه لدى ${provider}.`,
}
const en: typeof ar = {
  factors: 'Signing in and proving it',
  password: 'Has a password.',
  noPassword: 'Has no password.',
  passkeys: countedEn({ one: '# passkey.', other: '# passkeys.' }),
  totp: (day) => `Authenticator app since ${day}.`,
  codes: countedEn({ zero: 'No recovery codes left.', one: '# recovery code left.', other: '# recovery codes left.' }),
  noFactor: 'No second step.',
  due: (day) => `Their role requires a second step before ${day}.`,
  overdue: (day) => `Their role requires a second step, and the portal is closed to them since ${day}.`,
  removeFactors: 'Remove all second steps',
  removeFactorsHint: (name) =>
    `For somebody who has lost their phone and their codes. ${isolated(name)}’s passkeys, authenticator app and recovery codes are removed, their sessions and tokens end, and they are told. First make sure that it’s them who asks.`,
  factorsRemoved: (name) => `${isolated(name)}’s second steps are removed`,
  keep: 'Keep them',
  identities: 'Connected accounts',
  noIdentities: 'Doesn’t sign in through a provider.',
  unlink: 'Disconnect',
  unlinkNamed: (provider) => `Disconnect their ${provider} account`,
  unlinkHint: (name, provider) => `${isolated(name)} can’t sign in through ${isolated(provider)} any more until they connect it again.`,
  unlinked: (provider) => `Their ${provider} account is disconnected`,
}
export const both = { ar, en }
export const t = texts(both)
