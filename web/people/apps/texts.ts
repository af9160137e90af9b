import { isolated, texts } from '../../platform/language.ts'

const ar = {
  frame: (name: string) => `محتوى ${name}`,
  newTab: 'افتحه في تبويب جديد',
  notShown: 'لا يظهر؟',
  insecure: 'هذا الموقع بلا اتصال آمن، فلا يعرضه المتصفح داخل البوابة. افتحه في تبويب جديد.',
  slow: 'لم يصل شيء من هذا الموقع بعد. قد يكون بطيئًا أو لا يسمح بعرضه هنا.',
  unknown: 'ليس هذا التطبيق بين تطبيقاتك',
  unknownHint:
    'ربما أُوقف، أو اقتصر على أعضاء مجموعات لست منها أو على من له صلاحيات ليست لك. إن كنت تحتاج إليه في عملك فاطلبه من مدير البوابة وأرسل إليه عنوان هذه الصفحة.',
  over: (name: string) => `لم يعد ${isolated(name)} متاحًا لك`,
  askHint: (isOne: boolean): string =>
    isOne ? 'يُفتح لأعضاء هذه المجموعة. اطلب الانضمام إليها.' : 'يُفتح لأعضاء هذه المجموعات. اطلب الانضمام إلى إحداها.',
  ask: 'اطلب',
  askNamed: (group: string) => `اطلب الانضمام إلى ${group}`,
  pending: 'طلبك ينتظر القرار',
  endsSoon: (when: string) => `ينتهي وصولك إلى هذا التطبيق ${when}. احفظ عملك قبل ذلك.`,
  longer: 'التفاصيل',
  empty: (name: string) => `«${name}» غير جاهز بعد`,
  emptyHint: 'سيُفتح من هنا حين يكتمل.',
  edit: 'عدّل التطبيق',
  copy: 'انسخ العنوان',
  copied: 'نُسخ العنوان',
  home: 'إلى الرئيسية',
}

const en: typeof ar = {
  frame: (name) => `${name} content`,
  newTab: 'Open in a new tab',
  notShown: 'Nothing showing?',
  insecure: 'This site doesn’t use a secure connection, so your browser won’t show it here. Open it in a new tab.',
  slow: 'This site is taking a while. It may be slow, or it may not allow being shown here.',
  unknown: 'You don’t have access to this app',
  unknownHint:
    'It may be turned off, or limited to groups or permissions you don’t have. If you need it for work, send this page’s address to your administrator.',
  over: (name) => `You no longer have access to ${isolated(name)}`,
  askHint: (isOne) => (isOne ? 'Members of this group can open it. Ask to join.' : 'Members of these groups can open it. Ask to join one.'),
  ask: 'Ask',
  askNamed: (group) => `Ask to join ${group}`,
  pending: 'Your request is waiting',
  endsSoon: (when) => `Your access to this app ends ${when}. Save your work before then.`,
  longer: 'Details',
  empty: (name) => `${name} isn’t ready yet`,
  emptyHint: 'It will open here once it’s finished.',
  edit: 'Edit app',
  copy: 'Copy address',
  copied: 'Address copied',
  home: 'Go to home',
}

export const both = { ar, en }
export const t = texts(both)
