import { texts } from '../platform/language.ts'

const ar = {
  offer: 'هل نُشعرك بجديد طلبك حتى والبوابة مغلقة؟',
  accept: 'نعم، نبّهني',
  decline: 'ليس الآن',
  accepted: 'ستصلك الإشعارات على هذا الجهاز. تجدها في حسابك متى أردت تغييرها.',
  refused: 'منع المتصفح الإشعارات. يمكنك السماح بها لاحقًا من حسابك.',
  failed: 'لم يُفعَّل التنبيه. أعد المحاولة من حسابك لاحقًا.',
}

const en: typeof ar = {
  offer: 'Get updates on this order even when the portal is closed?',
  accept: 'Turn on notifications',
  decline: 'Not now',
  accepted: 'Notifications are on. You can change this in your account.',
  refused: 'Your browser blocked notifications. You can allow them later from your account.',
  failed: 'Couldn’t turn on notifications. Try again later from your account.',
}

export const both = { ar, en }

export const t = texts({ ar, en })
