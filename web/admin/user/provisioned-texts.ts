import { isolated, texts } from '../../platform/language.ts'

const ar = {
  managedBy: 'يدير هذا الحساب المصدر',
  overwrites: '. ما يُعدّل هنا من الأسماء والبريد واللغة يكتب المصدر فوقه في تعديله التالي، وإن حُذف الحساب أنشأه المصدر من جديد.',
  switchedOff: '، وقد عطّله. لا يُفعّل إلا في الدليل.',
  sent: 'ما أرسله المصدر',
  unproven: 'لم يثبت أحد عنوان هذا الحساب، فلا يتولاه أي مصدر: قد يكون غريب سجّله بعنوان غيره.',
  handOver: 'اسمح بإسناده إلى مصدر',
  handOverHint: (name: string) =>
    `يُزال أولًا كل ما يفتح حساب ${isolated(name)}: الجلسات وكلمة المرور ومفاتيح المرور والرموز. ثم يصل صاحب العنوان رابط دعوة، ويتولى المصدر الحساب في اتصاله التالي.`,
  keep: 'أبقه كما هو',
  handedOver: 'سُمح بإسناد الحساب.',
}

const en: typeof ar = {
  managedBy: 'This account is managed by the source',
  overwrites:
    '. Its next change overwrites names, address and language that are changed here. If the account is deleted, the source creates it anew.',
  switchedOff: ', which deactivated it. It can be activated only in the directory.',
  sent: 'What the source sent',
  unproven: 'Nobody has proven the address of this account, so no source takes it over: a stranger may have registered it.',
  handOver: 'Let a source take it over',
  handOverHint: (name) =>
    `First, all that opens the account of ${isolated(name)} is removed: sessions, password, passkeys and tokens. Then the owner of the address gets an invitation, and the source takes the account over with its next call.`,
  keep: 'Leave it as it is',
  handedOver: 'A source may now take the account over',
}

export const both = { ar, en }
export const t = texts(both)
