import { texts } from '../../../platform/language.ts'

const ar = {
  permission: 'صلاحية',
  permissions: 'الصلاحيات',
  names: 'الاسم',
  nameAr: 'الاسم الذي يراه الناس، بالعربية',
  nameEn: 'الاسم الذي يراه الناس، بالإنجليزية',
  nameHint: 'السطر الأول هو الاسم، وما بعده وصف.',
  roles: 'أدوار تعطيها',
  noRoles: 'لا دور يعطيها.',
  apps: 'تطبيقات تطلبها',
  noApps: 'لا تطبيق يطلبها.',
  hidden: 'مخفي',
  unused: 'لا يستخدمها شيء: لا دور يعطيها، ولا تطبيق يطلبها.',
  system: 'من صلاحيات البوابة نفسها: لا تُحذف.',
  delete: 'احذف الصلاحية',
  inUse: 'لا تُحذف الصلاحية ما دام دور يعطيها أو تطبيق يطلبها. أزلها منه أولًا.',
  deleted: (name: string) => `حُذفت الصلاحية ${name}.`,
  saved: 'حُفظ الاسم.',
  gone: 'حُذفت هذه الصلاحية',
}

const en: typeof ar = {
  permission: 'Permission',
  permissions: 'Permissions',
  names: 'Name',
  nameAr: 'The name people read, in Arabic',
  nameEn: 'The name people read, in English',
  nameHint: 'The first line is the name, the rest describes it.',
  roles: 'Roles that give it',
  noRoles: 'No role gives it.',
  apps: 'Apps that ask for it',
  noApps: 'No app asks for it.',
  hidden: 'Hidden',
  unused: 'Nothing uses it: no role gives it, and no app asks for it.',
  system: 'One of the portal’s own permissions: it can’t be deleted.',
  delete: 'Delete the permission',
  inUse: 'It can’t be deleted while a role gives it or an app asks for it. Remove it there first.',
  deleted: (name) => `The permission ${name} was deleted`,
  saved: 'The name is saved',
  gone: 'This permission was deleted',
}

export const both = { ar, en }
export const t = texts(both)
