import { countedAr, countedEn, texts } from '../../../platform/language.ts'

const ar = {
  title: 'طلبات الانضمام',
  purpose: 'كل ما طُلب من عضويات، ومن قرّر فيه. ما يمكن طلبه يُحدَّد في صفحة كل مجموعة.',
  waiting: countedAr({
    zero: 'لا طلب ينتظر قرارًا.',
    one: 'طلب واحد ينتظر قرارًا.',
    two: 'طلبان ينتظران قرارًا.',
    few: '# طلبات تنتظر قرارًا.',
    many: '# طلبًا ينتظر قرارًا.',
    other: '# طلب ينتظر قرارًا.',
  }),
  status: 'الحالة',
  allStatuses: 'كل الحالات',
  statuses: { pending: 'ينتظر', approved: 'قُبل', denied: 'رُفض', withdrawn: 'سُحب', lapsed: 'سقط' },
  lapses: {
    undecided: 'لم يُقرَّر فيه خلال 14 يومًا',
    requester_gone: 'عُطّل حساب صاحبه أو حُذف',
    group_gone: 'حُذفت المجموعة',
    not_requestable: 'لم يعد الانضمام بطلب',
    already_member: 'نال العضوية من طريق آخر',
  },
  group: 'المجموعة',
  allGroups: 'كل المجموعات',
  person: 'صاحب الطلب',
  everyone: 'كل الناس',
  heads: { person: 'صاحب الطلب', group: 'المجموعة', status: 'الحالة', decided: 'من قرّر', at: 'قُدّم' },
  approvals: (given: string, needed: string) => `${given} من ${needed}`,
  days: countedAr({ zero: '', one: 'ليوم', two: 'ليومين', few: 'لـ# أيام', many: 'لـ# يومًا', other: 'لـ# يوم' }),
  endless: 'بلا نهاية',
  failed: 'تعذّر تحميل الطلبات.',
  none: 'لم يطلب أحد شيئًا بعد',
  noneHint: 'حين تتيح طلب الانضمام إلى مجموعة، تظهر الطلبات هنا.',
  toGroups: 'إلى المجموعات',
  nothing: 'لا طلب يطابق المرشحات.',
}

const en: typeof ar = {
  title: 'Access requests',
  purpose: 'All memberships that were asked for, and who decided. What can be asked for is set on the page of each group.',
  waiting: countedEn({
    zero: 'No request is waiting for a decision.',
    one: '# request is waiting for a decision.',
    other: '# requests are waiting for a decision.',
  }),
  status: 'Status',
  allStatuses: 'All statuses',
  statuses: { pending: 'Waiting', approved: 'Approved', denied: 'Denied', withdrawn: 'Withdrawn', lapsed: 'Lapsed' },
  lapses: {
    undecided: 'nobody decided within 14 days',
    requester_gone: 'the account was deactivated or deleted',
    group_gone: 'the group was deleted',
    not_requestable: 'the group can no longer be asked for',
    already_member: 'they became a member in another way',
  },
  group: 'Group',
  allGroups: 'All groups',
  person: 'Requested by',
  everyone: 'Everyone',
  heads: { person: 'Requested by', group: 'Group', status: 'Status', decided: 'Decided by', at: 'Asked' },
  approvals: (given, needed) => `${given} of ${needed}`,
  days: countedEn({ one: 'for # day', other: 'for # days' }),
  endless: 'without an end',
  failed: 'The requests couldn’t be loaded.',
  none: 'Nobody has asked for anything yet',
  noneHint: 'Once you let people ask to join a group, their requests appear here.',
  toGroups: 'To the groups',
  nothing: 'No requests match these filters.',
}

export const both = { ar, en }
export const t = texts(both)
