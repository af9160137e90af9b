/** The texts of notifications about people's own ways to sign in; they are mailed, too. */
import type { NoticeTexts } from '../../work/notifications/shapes.ts'

export const securityTemplates = {
  factor_added: {
    titleAr: 'وسيلة تحقق جديدة في حسابك',
    titleEn: 'New second factor',
    bodyAr: 'أُضيف {factor} إلى حسابك. إن لم يكن ذلك منك، فأنهِ جلساتك وغيّر كلمة المرور وأبلغ أحد المديرين.',
    bodyEn: '{factor} was added to your account. If it was not you, end your sessions, change your password and tell an administrator.',
    mailed: '/account/security',
  },
  factor_removed: {
    titleAr: 'أُزيلت وسيلة تحقق من حسابك',
    titleEn: 'A second factor was removed',
    bodyAr: 'أُزيل {factor} من حسابك. إن لم يكن ذلك منك، فأنهِ جلساتك وغيّر كلمة المرور وأبلغ أحد المديرين.',
    bodyEn: '{factor} was removed from your account. If it was not you, end your sessions, change your password and tell an administrator.',
    mailed: '/account/security',
  },
  factors_reset: {
    titleAr: 'أُزيلت وسائل التحقق من حسابك',
    titleEn: 'Your second factors were removed',
    bodyAr: 'أزال أحد المديرين كل وسائل التحقق من حسابك، وانتهت جلساتك. أضف وسيلة جديدة بعد تسجيل الدخول.',
    bodyEn:
      'An administrator removed all second factors from your account, and your sessions have ended. Set up a new one after you sign in.',
    mailed: '/account/security',
  },
  account_cleared: {
    titleAr: 'أُزيل من حسابك ما يسبق إثبات ملكيته',
    titleEn: 'Earlier ways into your account were removed',
    bodyAr: 'ثبت الآن أن هذا الحساب لك، فأُزيل منه ما أضيف قبل ذلك، إذ ربما أضافه غيرك: {what}. أضف ما تحتاج إليه من جديد.',
    bodyEn:
      'This account has now been proven to be yours. What was added before that was removed, because somebody else may have added it: {what}. Add again what you need.',
    mailed: '/account/security',
  },
  recovery_code_used: {
    titleAr: 'استُخدم أحد رموز الاسترداد',
    titleEn: 'A recovery code was used',
    bodyAr: 'استُخدم أحد رموز الاسترداد في حسابك، والمتبقي منها: {left}. إن لم يكن ذلك منك، فغيّر كلمة المرور واستبدل الرموز.',
    bodyEn: 'A recovery code was used for your account. Codes left: {left}. If it was not you, change your password and replace the codes.',
    mailed: '/account/security',
  },
  exception_signed_in: {
    titleAr: 'دخول من دون مزوّد الدخول',
    titleEn: 'A sign-in without the provider',
    bodyAr:
      'دخول بحساب {person}، المستثنى من مزوّد الدخول، من العنوان {address} في {at}. إن لم تكن على علم به، فأنهِ جلسات هذا الحساب وتحقق من الأمر.',
    bodyEn: '{person} signed in as an exception from {address} on {at}. If you did not expect this, end their sessions and look into it.',
    mailed: '/account/security',
  },
  enrolment_due: {
    titleAr: 'أضف وسيلة تحقق ثانية',
    titleEn: 'Set up a second factor',
    bodyAr: 'يتطلب دورك وسيلة تحقق ثانية. إن لم تضفها قبل {until} فلن يتاح لك بعده سوى صفحة حسابك.',
    bodyEn: 'Your role requires a second factor. Without one, only your account page stays open to you after {until}.',
    mailed: '/account/security',
  },
} as const satisfies Record<string, NoticeTexts>
