import { isolated, texts } from '../../../platform/language.ts'

const ar = {
  managedBy: 'يدير هذا الحساب المصدر',
  overwrites: '. ما يُعدّل هنا من الأسماء والبريد واللغة يكتب المصدر فوقه في تعديله التالي، وإن حُذف الحساب أنشأه المصدر من جديد.',
  switchedOff: '، وقد عطّله. لا يُفعّل إلا في الدليل.',
  sent: 'ما أرسله المصدر',
  unproven: 'لم يثبت أحد عنوان هذا الحساب، وقد يكون غريب سجّله بعنوان غيره. لا يتولاه إلا مصدر تحقّق مزوّد دخوله من العنوان.',
  olderWays: 'لهذا الحساب طريقة دخول أقدم من عنوانه، وقد تكون لشخص آخر، فلا يُربط بمزوّد دخول إلا بعد أن يثبت صاحب العنوان أنه له.',
  handOver: 'سلّم الحساب لصاحب العنوان',
  handOverHint: (name: string) =>
    `يُزال كل ما يفتح حساب ${isolated(name)}: الجلسات وكلمة المرور ومفاتيح المرور والرموز. ثم يصل صاحب العنوان رابط دعوة، ويجوز لأي مصدر أن يتولى الحساب.`,
  keep: 'أبقه كما هو',
  handedOver: 'سُلّم الحساب لصاحب العنوان.',
}

const en: typeof ar = {
  managedBy: 'This account is managed by the source',
  overwrites:
    '. Its next change overwrites names, address and language that are changed here. If the account is deleted, the source creates it anew.',
  switchedOff: ', which deactivated it. It can be activated only in the directory.',
  sent: 'What the source sent',
  unproven:
    'Nobody has proven the address of this account: a stranger may have registered it. Only a source whose sign-in provider has verified the address takes it over.',
  olderWays:
    'A way into this account is older than its address, and may be a stranger’s. So no sign-in provider connects it before the owner of the address proves that it is theirs.',
  handOver: 'Hand it to the owner of the address',
  handOverHint: (name) =>
    `All that opens the account of ${isolated(name)} is removed: sessions, password, passkeys and tokens. The owner of the address gets an invitation, and a source may take the account over.`,
  keep: 'Leave it as it is',
  handedOver: 'The account was handed to the owner of the address',
}

export const both = { ar, en }
export const t = texts(both)
