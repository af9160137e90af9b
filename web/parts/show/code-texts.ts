import { texts } from '../../platform/language.ts'

const ar = {
  code: 'رمز التحقق',
  codeHint: 'ستة أرقام يعرضها تطبيق المصادقة في هاتفك.',
  recoveryCode: 'رمز الاسترداد',
  recoveryHint: 'أحد الرموز التي حفظتها. كل رمز يصلح مرة واحدة.',
  isRecovery: 'هذا رمز استرداد. لن يصلح مرة أخرى بعد استخدامه.',
  useRecovery: 'استخدم رمز استرداد',
  useCode: 'استخدم تطبيق المصادقة',
  wrong: 'هذا الرمز غير صحيح، أو استُخدم من قبل. اكتب الرمز الذي يعرضه التطبيق الآن.',
  wrongRecovery: 'رمز الاسترداد هذا غير صحيح، أو استُخدم من قبل.',
  neither: 'اكتب الأرقام الستة، أو رمز استرداد كاملًا من ستة عشر حرفًا.',
}
const en: typeof ar = {
  code: 'Verification code',
  codeHint: 'The six digits in the authenticator app on your phone.',
  recoveryCode: 'Recovery code',
  recoveryHint: 'One of the codes you saved. Each works once.',
  isRecovery: 'This is a recovery code. It won’t work again once you’ve used it.',
  useRecovery: 'Use a recovery code',
  useCode: 'Use the authenticator app',
  wrong: 'This code isn’t right, or has been used before. Enter the code that the app shows now.',
  wrongRecovery: 'This recovery code isn’t right, or has been used before.',
  neither: 'Enter the six digits, or a whole recovery code of sixteen characters.',
}
export const both = { ar, en }
export const t = texts(both)
