import { texts } from '../../platform/language.ts'

const ar = {
  forWhom: 'لمن الطلب؟',
  forMe: 'أطلبها لي',
  forOther: 'أطلبها لغيري',
  person: 'الشخص',
  find: 'ابحث عن اسم',
  hint: 'يصله إشعار باسمك، ويتابع الطلب معك.',
  wrong: {
    missing: 'اختر الشخص الذي تطلب له.',
    beneficiary: 'لا تُتاح هذه الخدمة لهذا الشخص. اختر غيره.',
    no_approver: 'لا أحد يحق له أن يوافق على هذا الطلب، فلم يُرسل. راجع مدير البوابة.',
    forbidden: 'لم يعد لك أن تطلب هذه الخدمة لغيرك.',
  },
}
const en: typeof ar = {
  forWhom: 'For whom?',
  forMe: 'For me',
  forOther: 'For somebody else',
  person: 'Person',
  find: 'Search for a name',
  hint: 'They get a notification with your name, and follow the order with you.',
  wrong: {
    missing: 'Choose the person you are ordering for.',
    beneficiary: 'This service isn’t open to this person. Choose somebody else.',
    no_approver: 'Nobody may approve this order, so it wasn’t sent. Contact your administrator.',
    forbidden: 'You can no longer order this service for somebody else.',
  },
}

export const both = { ar, en }
export const t = texts(both)
