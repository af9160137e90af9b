import { texts } from '../../../platform/language.ts'

const ar = {
  title: 'المجموعات',
  purpose: 'المجموعة تعطي كل أعضائها الأدوار والتطبيقات نفسها.',
  find: 'ابحث عن مجموعة',
  name: 'المجموعة',
  members: 'الأعضاء',
  roles: 'الأدوار',
  apps: 'التطبيقات',
  create: 'أنشئ مجموعة',
  system: 'من مجموعات البوابة',
  empty: 'لا مجموعات بعد',
  emptyHint: 'المجموعة تعطي أعضاءها الأدوار والتطبيقات نفسها، فلا تُعطيها واحدًا واحدًا.',
  first: 'أنشئ أول مجموعة',
  nothing: 'لا مجموعة بهذا الاسم. جرّب جزءًا منه، أو امسح البحث.',
  failed: 'تعذّر تحميل المجموعات.',
  newGroup: 'مجموعة جديدة',
  make: 'أنشئها',
  cancel: 'إلغاء',
  created: (name: string) => `أُنشئت مجموعة ${name}.`,
}

const en: typeof ar = {
  title: 'Groups',
  purpose: 'A group gives all its members the same roles and apps.',
  find: 'Find a group',
  name: 'Group',
  members: 'Members',
  roles: 'Roles',
  apps: 'Apps',
  create: 'New group',
  system: 'One of the portal’s own groups',
  empty: 'No groups yet',
  emptyHint: 'A group gives all its members the same roles and apps.',
  first: 'Create the first group',
  nothing: 'No group by that name. Try a part of it, or clear the search.',
  failed: 'The groups couldn’t be loaded.',
  newGroup: 'New group',
  make: 'Create the group',
  cancel: 'Cancel',
  created: (name) => `The group ${name} was created`,
}

export const both = { ar, en }
export const t = texts(both)
