import { countedAr, countedEn, isolated, texts } from '../../../platform/language.ts'

const ar = {
  link: {
    title: (name: string) => `رابط كلمة المرور لـ${isolated(name)}`,
    hint: 'رابط واحد صالح 24 ساعة، ويُبطل الذي قبله. لا تنتهي أي جلسة قبل استعماله.',
    issue: 'أصدر الرابط',
    link: 'الرابط',
    until: (moment: string) => `صالح حتى ${moment}، ولمرة واحدة. لا يُعرض بعد إغلاق هذه النافذة.`,
    copy: 'انسخ',
    copied: 'نُسخ الرابط',
    done: 'تم',
  },
  deactivate: {
    title: (name: string) => `تعطيل حساب ${isolated(name)}`,
    hint: 'تنتهي الآن كل الجلسات، وتعود الطلبات قيد التنفيذ إلى الانتظار. يبقى كل ما كُتب.',
    stays: 'يبقى كل ما كُتب.',
    yes: 'عطّل الحساب',
    done: (name: string) => `عُطّل حساب ${isolated(name)}`,
    back: (name: string) => `فُعّل حساب ${isolated(name)} من جديد. لا تعود الجلسات التي انتهت، وتبقى الطلبات في الانتظار.`,
    on: (name: string) => `فُعّل حساب ${isolated(name)}`,
  },
  promote: {
    title: (name: string) => `دور المدير لـ${isolated(name)}`,
    hint: (name: string) => `يصير لحساب ${isolated(name)} كل ما للمدير: كل تطبيق يُفتح، وكل حق يُغيَّر.`,
    yes: 'أعطِ الدور',
    done: (name: string) => `أُعطي حساب ${isolated(name)} دور المدير`,
    back: (name: string) => `سُحب دور المدير من حساب ${isolated(name)}`,
  },
  remove: {
    title: (name: string) => `حذف حساب ${isolated(name)}`,
    owned: (notes: string, orders: string) => `تُحذف ${notes} و${orders}، ويبقى ما وصل منها إلى الآخرين بلا اسم. لا رجعة في هذا.`,
    nothing: 'لا ملاحظات لهذا الحساب ولا طلبات. لا رجعة في الحذف.',
    notes: countedAr({
      zero: 'لا ملاحظات',
      one: 'ملاحظة واحدة',
      two: 'ملاحظتان',
      few: '# ملاحظات',
      many: '# ملاحظة',
      other: '# ملاحظة',
    }),
    orders: countedAr({ zero: 'لا طلبات', one: 'طلب واحد', two: 'طلبان', few: '# طلبات', many: '# طلبًا', other: '# طلب' }),
    instead: 'التعطيل يكفي في أكثر الأحوال: يُمنع الدخول، ويبقى كل ما كُتب.',
    confirm: (username: string) => `اكتب ${isolated(username)} للتأكيد`,
    yes: 'احذف الحساب',
    force: 'احذف الحساب وما فيه',
    done: (name: string) => `حُذف حساب ${isolated(name)}`,
  },
  lastAdmin: 'هذا آخر مدير مفعّل. اجعل غيره مديرًا أولًا.',
  cancel: 'إلغاء',
  never: 'لا دخول بعد',
  lately: 'خلال هذه الساعة',
}

const en: typeof ar = {
  link: {
    title: (name) => `Password link for ${isolated(name)}`,
    hint: 'One link, good for 24 hours; it voids the one before. Nobody is signed out until it is used.',
    issue: 'Issue the link',
    link: 'Link',
    until: (moment) => `Good for one use until ${moment}. It is not shown again once this window is closed.`,
    copy: 'Copy',
    copied: 'Link copied',
    done: 'Done',
  },
  deactivate: {
    title: (name) => `Deactivate ${isolated(name)}`,
    hint: 'Signed out of all devices now, and orders in progress go back to the queue. What was written stays.',
    stays: 'What was written stays.',
    yes: 'Deactivate',
    done: (name) => `${isolated(name)}’s account is off`,
    back: (name) => `${isolated(name)}’s account is on again. Sessions that ended do not come back, and orders stay in the queue.`,
    on: (name) => `${isolated(name)}’s account is on`,
  },
  promote: {
    title: (name) => `Make ${isolated(name)} an administrator`,
    hint: (name) => `${isolated(name)} becomes an administrator: sees every app and can change every right.`,
    yes: 'Make administrator',
    done: (name) => `${isolated(name)} is an administrator`,
    back: (name) => `${isolated(name)} is no longer an administrator`,
  },
  remove: {
    title: (name) => `Delete ${isolated(name)}`,
    owned: (notes, orders) => `${notes} and ${orders} are deleted; what was written to others stays without a name. This cannot be undone.`,
    nothing: 'This account has no notes and no orders. Deleting it cannot be undone.',
    notes: countedEn({ zero: 'No notes', one: '1 note', other: '# notes' }),
    orders: countedEn({ zero: 'no orders', one: '1 order', other: '# orders' }),
    instead: 'Deactivating is enough in most cases: nobody can sign in, and everything written stays.',
    confirm: (username) => `Type ${isolated(username)} to confirm`,
    yes: 'Delete the account',
    force: 'Delete the account and what it owns',
    done: (name) => `${isolated(name)}’s account is deleted`,
  },
  lastAdmin: 'This is the last active administrator. Make someone else one first.',
  cancel: 'Cancel',
  never: 'never signed in',
  lately: 'within the hour',
}

export const both = { ar, en }

export const t = texts(both)
