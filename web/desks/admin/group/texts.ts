import { countedAr, countedEn, texts } from '../../../platform/language.ts'

const removesAr = countedAr({
  zero: '',
  one: ' يُخرج شخصًا واحدًا',
  two: ' يُخرج شخصين',
  few: ' يُخرج # أشخاص',
  many: ' يُخرج # شخصًا',
  other: ' يُخرج # شخص',
})
const costsAr = countedAr({
  zero: '',
  one: '، ويفقد واحد منهم تطبيقات أو أدوارًا',
  two: '، ويفقد اثنان منهم تطبيقات أو أدوارًا',
  few: '، ويفقد # منهم تطبيقات أو أدوارًا',
  many: '، ويفقد # منهم تطبيقات أو أدوارًا',
  other: '، ويفقد # منهم تطبيقات أو أدوارًا',
})
const removesEn = countedEn({ one: ' removes # person from it', other: ' removes # people from it' })
const costsEn = countedEn({ one: ' and costs # of them apps or roles', other: ' and costs # of them apps or roles' })

const ar = {
  group: 'مجموعة',
  groups: 'المجموعات',
  tabs: { members: 'الأعضاء', roles: 'الأدوار', apps: 'التطبيقات', requests: 'الانضمام بطلب', texts: 'الوصف', history: 'السجل' },
  system: 'من مجموعات البوابة: يبقى اسمها، ولا تُحذف.',
  managedBy: (name: string) => `يدير ${name} أعضاءها.`,
  provisionedBy: (name: string) => `يدير المصدر ${name} أعضاءها واسمها.`,
  toSource: 'صفحة المصدر',
  addedBy: (name: string) => `يضمّ ${name} إليها أشخاصًا حين يدخلون.`,
  itsRules: 'قيمه ومجموعاته',
  delete: 'احذف المجموعة…',
  deleteTitle: (name: string, members: number, losers: number) =>
    `حذف ${name}${members ? removesAr(members) : ''}${losers ? costsAr(losers) : ''}`,
  deleteWith: countedAr({
    zero: 'احذفها',
    one: 'احذفها وعضوية',
    two: 'احذفها وعضويتين',
    few: 'احذفها و# عضويات',
    many: 'احذفها و# عضوية',
    other: 'احذفها و# عضوية',
  }),
  services: 'الخدمات والفرق',
  names: { team: 'تتلقى طلباته', audience: 'لها أن تطلبها', onBehalf: 'لها أن تطلبها لغيرها', steps: 'توافق على طلباتها' },
  lastNames: {
    team: 'لن يتلقى طلباته أحد بعدها',
    audience: 'لن يطلبها أحد بعدها',
    onBehalf: 'لن يطلبها لغيره بعدها إلا فريق الخدمة',
    steps: 'يقرر المديرون في طلباتها بعدها',
  },
  emptyInstead: 'أخرج الجميع وأبقها فارغة',
  emptied: 'المجموعة فارغة الآن.',
  deleted: (name: string) => `حُذفت ${name}.`,
  gone: 'حُذفت هذه المجموعة',
  membersAdded: (by: string, names: string) => `${by}: ضُمّ ${names}`,
  membersRemoved: (by: string, names: string) => `${by}: أُخرج ${names}`,
  rolesAdded: (by: string, names: string) => `${by}: أُعطيت المجموعة ${names}`,
  rolesRemoved: (by: string, names: string) => `${by}: سُحب من المجموعة ${names}`,
  appsAdded: (by: string, names: string) => `${by}: مُنحت المجموعة ${names}`,
  appsRemoved: (by: string, names: string) => `${by}: سُحب من المجموعة ${names}`,
  next: '. ',
  saved: 'حُفظت المجموعة.',
}

const en: typeof ar = {
  group: 'Group',
  groups: 'Groups',
  tabs: { members: 'Members', roles: 'Roles', apps: 'Apps', requests: 'Asking to join', texts: 'Description', history: 'History' },
  system: 'One of the portal’s own groups: its key stays, and it can’t be deleted.',
  managedBy: (name) => `${name} manages its members.`,
  provisionedBy: (name) => `The source ${name} manages its members and its name.`,
  toSource: 'Page of the source',
  addedBy: (name) => `${name} puts people into it when they sign in.`,
  itsRules: 'Its values and groups',
  delete: 'Delete the group…',
  deleteTitle: (name, members, losers) => `Deleting ${name}${members ? removesEn(members) : ''}${losers ? costsEn(losers) : ''}`,
  deleteWith: countedEn({ zero: 'Delete', one: 'Delete with # membership', other: 'Delete with # memberships' }),
  services: 'Services and teams',
  names: { team: 'Receives its orders', audience: 'May order it', onBehalf: 'May order it for others', steps: 'Approves its orders' },
  lastNames: {
    team: 'Afterwards nobody receives its orders',
    audience: 'Afterwards nobody may order it',
    onBehalf: 'Afterwards only its team may order it for others',
    steps: 'Afterwards administrators decide on its orders',
  },
  emptyInstead: 'Remove everyone and keep it empty',
  emptied: 'The group is empty now',
  deleted: (name) => `${name} is deleted`,
  gone: 'This group was deleted',
  membersAdded: (by, names) => `${by} added ${names}`,
  membersRemoved: (by, names) => `${by} removed ${names}`,
  rolesAdded: (by, names) => `${by} gave this group ${names}`,
  rolesRemoved: (by, names) => `${by} took ${names} from this group`,
  appsAdded: (by, names) => `${by} granted this group ${names}`,
  appsRemoved: (by, names) => `${by} withdrew ${names} from this group`,
  next: '. ',
  saved: 'The group is saved',
}

export const both = { ar, en }
export const t = texts(both)
