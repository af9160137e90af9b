import { texts } from '../../../../platform/language.ts'

const ar = {
  sets: { members: 'الأعضاء', roles: 'الأدوار', apps: 'التطبيقات' },
  addMembers: 'ضُمّ أشخاصًا: اسم، أو الصق قائمة بريد',
  addMembersHint: 'اسم أو قائمة بريد',
  addRoles: 'أضف دورًا',
  addApps: 'أضف تطبيقًا',
  everyone: 'كل حساب عضو فيها، فلا يُضم أحد ولا يُخرج.',
  managed: (name: string) => `يدير ${name} أعضاءها: من كانت له القيمة عنده فهو عضو، ولا يُغيّر ذلك هنا.`,
  provisioned: (name: string) => `يدير المصدر ${name} أعضاءها، فلا يُغيّر ذلك هنا بل في الدليل.`,
  key: 'المفتاح',
  keyHint: 'اسم المجموعة في القوائم والتصدير.',
  nameAr: 'الاسم الذي يراه الناس، بالعربية',
  nameEn: 'الاسم الذي يراه الناس، بالإنجليزية',
  nameHint: 'السطر الأول هو الاسم، وما بعده وصف.',
}

const en: typeof ar = {
  sets: { members: 'Members', roles: 'Roles', apps: 'Apps' },
  addMembers: 'Add people: a name, or paste a list of emails',
  addMembersHint: 'Name, or pasted list',
  addRoles: 'Add a role',
  addApps: 'Add an app',
  everyone: 'Every account is a member, so nobody is added or removed.',
  managed: (name) => `${name} manages its members: people with the value there are its members, and nothing is changed here.`,
  provisioned: (name) => `The source ${name} manages its members: change them in the directory.`,
  key: 'Key',
  keyHint: 'The name of the group in lists and exports.',
  nameAr: 'The name people read, in Arabic',
  nameEn: 'The name people read, in English',
  nameHint: 'The first line is the name; the rest describes it.',
}

export const both = { ar, en }
export const t = texts(both)
