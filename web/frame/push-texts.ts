import { texts } from '../platform/language.ts'

const ar = {
  offer: 'أتريد أن تعرف حال طلبك والبوابة مغلقة؟',
  accept: 'نعم، نبّهني',
  decline: 'ليس الآن',
  accepted: 'ستصلك الإشعارات على هذا الجهاز. تجدها في حسابك متى أردت تغييرها.',
  refused: 'منع المتصفح الإشعارات. يمكنك السماح بها لاحقًا من حسابك.',
  failed: 'لم يُفعَّل التنبيه. أعد المحاولة من حسابك لاحقًا.',
}

const en: typeof ar = {
  offer: 'Shall this device tell you how your order goes, also while the portal is closed?',
  accept: 'Yes, notify me',
  decline: 'Not now',
  accepted: 'This device will be notified. You can change that in your account.',
  refused: 'The browser blocked notifications. You can allow them later, from your account.',
  failed: 'Not switched on. Try again later, from your account.',
}

export const both = { ar, en }

/** The texts of the offer to be notified. */
export const t = texts({ ar, en })
