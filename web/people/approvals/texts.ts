import { countedAr, countedEn, texts } from '../../platform/language.ts'

const ar = {
  title: 'الموافقات',
  waiting: countedAr({
    zero: 'لا طلب ينتظر موافقتك',
    one: 'طلب واحد ينتظر موافقتك',
    two: 'طلبان ينتظران موافقتك',
    few: '# طلبات تنتظر موافقتك',
    many: '# طلبًا ينتظر موافقتك',
    other: '# طلب ينتظر موافقتك',
  }),
  yours: 'تنتظر موافقتك',
  others: 'وافقت عليها، وتنتظر غيرك',
  none: 'لا طلبات تنتظر موافقتك.',
  noneHint: 'حين يحتاج طلب إلى موافقتك يظهر هنا، ويصلك إشعار به.',
  place: (at: string, of: string) => `${at} من ${of}`,
  next: 'التالي',
  former: 'السابق',
  asked: (when: string) => `طُلب ${when}`,
  someone: 'حساب محذوف',
  notes: 'تفاصيل الطلب',
  answers: 'الإجابات',
  open: 'المحادثة وكل التفاصيل',
  more: 'إلى ما ينتظر',
  gone: 'لا طلب هنا',
  goneHint: 'ربما حُذف هذا الطلب، أو لم يعد لك أن تقرأه.',
}

const en: typeof ar = {
  title: 'Approvals',
  waiting: countedEn({ one: '# order is waiting for your approval', other: '# orders are waiting for your approval' }),
  yours: 'Waiting for you',
  others: 'Approved by you, waiting for others',
  none: 'Nothing waits for your approval.',
  noneHint: 'An order that needs your approval appears here, and you get a notification.',
  place: (at, of) => `${at} of ${of}`,
  next: 'Next',
  former: 'Previous',
  asked: (when) => `Ordered ${when}`,
  someone: 'Deleted account',
  notes: 'Details',
  answers: 'Answers',
  open: 'Conversation and all details',
  more: 'Go to what’s waiting',
  gone: 'There’s no order here',
  goneHint: 'It may have been deleted, or you no longer have access to it.',
}

export const both = { ar, en }
export const t = texts(both)
