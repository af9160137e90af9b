import { texts } from '../platform/language.ts'

const ar = {
  hint: 'تعمل بالمفاتيح نفسها أيًّا كانت لغة لوحة المفاتيح.',
  find: 'البحث والأوامر',
  undo: 'التراجع عن آخر فعل',
  close: 'إغلاق ما هو مفتوح',
  users: 'المستخدمون',
  between: 'ثم',
}

const en: typeof ar = {
  hint: 'They work with any keyboard layout.',
  find: 'Search and commands',
  undo: 'Undo',
  close: 'Close',
  users: 'Users',
  between: 'then',
}

export const t = texts({ ar, en })
