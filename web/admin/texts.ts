import { texts } from '../platform/language.ts'

const ar = {
  title: 'الإدارة',
  places: 'أماكن الإدارة',
  find: 'صفحة أو شخص',
  groups: { people: 'الناس', used: 'ما يستخدمونه', happened: 'ما جرى', portal: 'البوابة' },
  names: {
    overview: 'نظرة عامة',
    users: 'المستخدمون',
    groups: 'المجموعات',
    roles: 'الأدوار',
    permissions: 'الصلاحيات',
    access: 'من يرى ماذا',
    apps: 'التطبيقات',
    services: 'الخدمات',
    orders: 'كل الطلبات',
    statistics: 'الإحصاءات',
    audit: 'سجل التدقيق',
    settings: 'الإعدادات',
    system: 'النظام',
  },
  late: 'تنتظر أكثر من ربع ساعة',
  account: 'حساب',
  kinds: { groups: 'مجموعة', roles: 'دور', apps: 'إدارة التطبيق' },
}

const en: typeof ar = {
  title: 'Administration',
  places: 'Places of the administration',
  find: 'Page or person',
  groups: { people: 'People', used: 'What they use', happened: 'What happened', portal: 'The portal' },
  names: {
    overview: 'Overview',
    users: 'Users',
    groups: 'Groups',
    roles: 'Roles',
    permissions: 'Permissions',
    access: 'Who sees what',
    apps: 'Apps',
    services: 'Services',
    orders: 'All orders',
    statistics: 'Statistics',
    audit: 'Audit log',
    settings: 'Settings',
    system: 'System',
  },
  late: 'waiting longer than a quarter of an hour',
  account: 'Account',
  kinds: { groups: 'Group', roles: 'Role', apps: 'Manage app' },
}

export const both = { ar, en }

/** The words that several pages of the administration use. */
export const t = texts(both)
