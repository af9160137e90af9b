import { countedAr, countedEn, texts } from '../../platform/language.ts'

const ar = {
  unread: countedAr({
    zero: 'لا جديد',
    one: 'واحدة لم تُقرأ',
    two: 'اثنتان لم تُقرآ',
    few: '# لم تُقرأ',
    many: '# لم تُقرأ',
    other: '# لم تُقرأ',
  }),
  notesIn: countedAr({
    zero: 'لا ملاحظات',
    one: 'ملاحظة واحدة',
    two: 'ملاحظتان',
    few: '# ملاحظات',
    many: '# ملاحظة',
    other: '# ملاحظة',
  }),
  replies: countedAr({ zero: 'بلا ردود', one: 'ردّ واحد', two: 'ردّان', few: '# ردود', many: '# ردًّا', other: '# ردّ' }),
  people: countedAr({
    zero: 'لا أحد',
    one: 'شخص واحد',
    two: 'شخصان',
    few: '# أشخاص',
    many: '# شخصًا',
    other: '# شخص',
  }),
  sendTo: countedAr({
    zero: 'إرسال',
    one: 'إرسال إلى شخص واحد',
    two: 'إرسال إلى شخصين',
    few: 'إرسال إلى # أشخاص',
    many: 'إرسال إلى # شخصًا',
    other: 'إرسال إلى # شخص',
  }),
  sentTo: countedAr({
    zero: 'وصلتهم الملاحظة من قبل',
    one: 'أُرسلت إلى شخص واحد',
    two: 'أُرسلت إلى شخصين',
    few: 'أُرسلت إلى # أشخاص',
    many: 'أُرسلت إلى # شخصًا',
    other: 'أُرسلت إلى # شخص',
  }),
}

const en: typeof ar = {
  unread: countedEn({ zero: 'all read', one: '# unread', other: '# unread' }),
  notesIn: countedEn({ zero: 'no notes', one: '# note', other: '# notes' }),
  replies: countedEn({ zero: 'No replies', one: '# reply', other: '# replies' }),
  people: countedEn({ zero: 'Nobody', one: '# person', other: '# people' }),
  sendTo: countedEn({ zero: 'Send', one: 'Send to # person', other: 'Send to # people' }),
  sentTo: countedEn({ zero: 'They already have this note', one: 'Sent to # person', other: 'Sent to # people' }),
}

/** The texts that depend on a number. */
export const counted = texts({ ar, en })
