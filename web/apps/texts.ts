import { texts } from '../platform/language.ts'

const ar = {
  frame: (name: string) => `محتوى ${name}`,
  newTab: 'افتح في تبويب جديد',
  refused: 'إن بقيت المساحة فارغة فالموقع لا يسمح بعرضه داخل صفحات أخرى. افتحه في تبويب جديد.',
  insecure: 'هذا الموقع بلا اتصال آمن، فلا يعرضه المتصفح داخل البوابة. افتحه في تبويب جديد.',
  slow: 'لم يصل شيء من هذا الموقع بعد. قد يكون بطيئًا أو لا يسمح بعرضه هنا.',
  hide: 'أخفِ',
  unknown: 'ليس هذا التطبيق بين تطبيقاتك',
  unknownHint:
    'ربما أُوقف، أو هو متاح لمجموعات أو صلاحيات ليست لك. إن كنت تحتاج إليه في عملك فاطلبه من مدير البوابة وأرسل إليه عنوان هذه الصفحة.',
  empty: 'لا صفحة لهذا التطبيق بعد',
  emptyHint: 'حدّد له مدير البوابة مكانًا داخلها، ولم يُبنَ بعد.',
  copy: 'انسخ العنوان',
  copied: 'نُسخ العنوان',
  home: 'إلى الرئيسية',
}

const en: typeof ar = {
  frame: (name) => `Content of ${name}`,
  newTab: 'Open in a new tab',
  refused: 'If the space stays empty, the site does not let other pages show it. Open it in a new tab.',
  insecure: 'This site has no secure connection, so the browser will not show it inside the portal. Open it in a new tab.',
  slow: 'Nothing has come from this site yet. It may be slow, or not let itself be shown here.',
  hide: 'Hide',
  unknown: 'This app is not among yours',
  unknownHint:
    'It may be switched off, or be for groups or permissions you do not have. If your work needs it, ask the portal’s administrator and send them this page’s address.',
  empty: 'This app has no page yet',
  emptyHint: 'The administrator gave it a place inside the portal where nothing is built yet.',
  copy: 'Copy the address',
  copied: 'The address is copied',
  home: 'To the home page',
}

export const t = texts({ ar, en })
