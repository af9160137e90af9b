/** The problems of a file of people, or of a row in it, and the remarks on a row, each with its sentences. */

interface Twice {
  line: number
}
interface Named {
  name: string
}
interface Counts {
  expected: number
  found: number
}

export const fileRules = {
  quote: ({ line }: Twice) => ({
    en: `The quotation mark that opens in line ${line} is not closed at the end of its cell.`,
    ar: `علامة الاقتباس التي فُتحت في السطر ${line} لم تُغلق في نهاية خليتها.`,
  }),
  columnCount: ({ expected, found }: Counts) => ({
    en: `The row has ${found} cells, and the heading ${expected}.`,
    ar: `عدد خلايا الصف ${found}، وعدد العناوين ${expected}.`,
  }),
  unclear: () => ({
    en: 'It is not clear whose row this is, so nobody counts as missing from the file.',
    ar: 'لا يُعرف صاحب هذا الصف، فلا يُعدّ أحد غائبًا عن الملف.',
  }),
  taken: () => ({ en: 'Somebody else has this already.', ar: 'هذا مسجّل لحساب آخر.' }),
  lookAlike: () => ({ en: 'This looks like the name of another account.', ar: 'يشبه هذا اسم حساب آخر.' }),
  twice: ({ line }: Twice) => ({
    en: `The person is in the file already, in line ${line}.`,
    ar: `سبق ذكر هذا الشخص في الملف، في السطر ${line}.`,
  }),
  unknownManager: ({ name }: Named) => ({ en: `There is no active person “${name}”.`, ar: `لا يوجد شخص مفعّل باسم «${name}».` }),
  unknownGroup: ({ name }: Named) => ({ en: `There is no group “${name}”.`, ar: `لا توجد مجموعة باسم «${name}».` }),
  grants_admin: ({ name }: Named) => ({
    en: `The group “${name}” makes its members administrators; a file adds nobody to it.`,
    ar: `أعضاء المجموعة «${name}» مديرون للبوابة، ولا يُضاف إليها أحد من ملف.`,
  }),
  managed_elsewhere: ({ name }: Named) => ({
    en: `It is managed by “${name}”, and changed only there.`,
    ar: `يدير «${name}» هذا، ولا يُغيَّر إلا منه.`,
  }),
  exception: () => ({
    en: 'This administrator is an exception from the rules of sign-in; a file does not change the account.',
    ar: 'هذا المدير مستثنى من قواعد تسجيل الدخول، ولا يغيّر ملفٌ حسابه.',
  }),
  ownAccount: () => ({
    en: 'You cannot deactivate your own account, nor leave the groups that make you an administrator.',
    ar: 'لا يمكنك تعطيل حسابك ولا الخروج من المجموعات التي تجعلك مديرًا.',
  }),
  lastAdmin: () => ({
    en: 'The portal needs at least one active administrator. Make someone else one first.',
    ar: 'يجب أن يبقى للبوابة مدير مفعّل واحد على الأقل. اجعل غيره مديرًا أولًا.',
  }),
  usernameKept: ({ name }: Named) => ({
    en: `The email address belongs to “${name}”, who keeps this username.`,
    ar: `عنوان البريد لصاحب الحساب «${name}»، ويبقى اسم المستخدم كما هو.`,
  }),
} as const
