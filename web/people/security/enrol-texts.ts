import { texts } from '../../platform/language.ts'

const ar = {
  enrolTitle: 'أضف وسيلة تحقق ثانية',
  enrolHint: 'تحمي حسابك حتى لو عرف أحد كلمة مرورك. تستغرق دقيقتين.',
  enrolDuty: (day: string, isOver: boolean) =>
    isOver ? `يتطلبها دورك، وانتهت مهلتها يوم ${day}. متى أضفتها عادت البوابة تُفتح لك.` : `يتطلبها دورك قبل ${day}. تستغرق دقيقتين.`,
  stepFactor: 'مفتاح أو تطبيق',
  stepCodes: 'رموز الاسترداد',
  passkeyWhy: 'مفتاح المرور أسهل الطرق وأقواها: تؤكد ببصمتك أو وجهك أو رمز جهازك، بلا رموز تُكتب.',
  makePasskey: 'أنشئ مفتاح مرور',
  appInstead: 'استخدم تطبيق مصادقة بدلًا منه',
  passkeyInstead: 'استخدم مفتاح مرور بدلًا منه',
  alreadyEnrolled: 'أضفتَ وسيلة تحقق ثانية من قبل. تجد كل ما يحمي حسابك في صفحة الأمان.',
  enrolled: 'صار حسابك محميًا',
  enrolledHint: 'إن غيّرت هاتفك فأضف مفتاحًا في الجديد قبل أن تتخلى عن القديم.',
}

const en: typeof ar = {
  enrolTitle: 'Set up a second step',
  enrolHint: 'It protects your account even if somebody learns your password. It takes two minutes.',
  enrolDuty: (day, isOver) =>
    isOver
      ? `Your role requires it, and the time for it ended on ${day}. Once you’ve set it up, the portal opens for you again.`
      : `Your role requires it before ${day}. It takes two minutes.`,
  stepFactor: 'Passkey or app',
  stepCodes: 'Recovery codes',
  passkeyWhy:
    'A passkey is the easiest and the strongest way: you confirm with your fingerprint, your face or your device’s PIN, with no codes to type.',
  makePasskey: 'Create a passkey',
  appInstead: 'Use an authenticator app instead',
  passkeyInstead: 'Use a passkey instead',
  alreadyEnrolled: 'You’ve already set up a second step. Everything that protects your account is on the security page.',
  enrolled: 'Your account is protected',
  enrolledHint: 'When you change your phone, add a passkey on the new one before you give up the old one.',
}

export const both = { ar, en }
export const t = texts(both)
