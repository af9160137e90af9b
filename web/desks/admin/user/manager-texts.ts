import { texts } from '../../../platform/language.ts'

const ar = {
  manager: 'المدير المباشر',
  change: 'غيّر',
  none: 'بلا مدير مباشر. ما ينتظر موافقته يقرّر فيه المديرون.',
  remove: 'أزل المدير المباشر',
  managerOf: (name: string) => `المدير المباشر: ${name}`,
  hint: 'يوافق على الطلبات التي تحتاج إلى موافقة المدير المباشر، ومنها ما ينتظر الآن.',
  find: 'ابحث عن اسم',
  saved: (name: string) => `تغيّر المدير المباشر: ${name}`,
}
const en: typeof ar = {
  manager: 'Manager',
  change: 'Change',
  none: 'No manager. Administrators decide what needs the manager’s approval.',
  remove: 'Remove the manager',
  managerOf: (name) => `Manager of ${name}`,
  hint: 'They approve orders that need the manager’s approval, also those that wait now.',
  find: 'Search for a name',
  saved: (name) => `The manager of ${name} was changed`,
}

export const t = texts({ ar, en })
