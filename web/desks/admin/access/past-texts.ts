import { countedAr, countedEn, texts } from '../../../platform/language.ts'
import { both as now, t } from './texts.ts'

/** The texts about a past moment. Texts that do not differ are those about now. */
const ar = {
  ...now.ar,
  questions: {
    unknown: 'هل كان تطبيق {app} يظهر لـ{user} {at}؟',
    no: 'لماذا لم يكن تطبيق {app} يظهر لـ{user} {at}؟',
    yes: 'لماذا كان تطبيق {app} يظهر لـ{user} {at}؟',
    app: now.ar.questions.app,
    user: 'ما الذي كان يظهر لـ{user} {at}؟',
  },
  because: {
    restricted: (app: string, needs: string) => `لأن تطبيق ${app} لم يكن يظهر إلا لمن له ${needs}.`,
    unrestricted: (app: string) => `لأن تطبيق ${app} كان مفتوحًا للجميع.`,
    admin: (name: string) => `لأن إدارة البوابة كانت تضم ${name}.`,
    permission: (role: string, permission: string) => `لأن دور ${role} كان يعطي صلاحية ${permission}، وهي التي كانت تفتح التطبيق.`,
    group: (group: string, app: string) => `لأن مجموعة ${group} كانت قد مُنحت تطبيق ${app}.`,
    several: countedAr({
      zero: '',
      one: 'من طريق واحد.',
      two: 'من طريقين.',
      few: 'من # طرق.',
      many: 'من # طريقًا.',
      other: 'من # طريق.',
    }),
  },
  everyoneWhy: 'كان يظهر لكل من له حساب.',
  permission: 'صلاحية كانت تفتحه',
  noPermission: 'لا صلاحية كانت تفتحه',
  asks: (wanted: string) => `كان التطبيق يطلب ${wanted}.`,
  has: (held: string) => `الصلاحيات حينها: ${held}.`,
  hasNone: 'لا صلاحيات حينها.',
  group: 'مجموعة كانت قد مُنحته',
  noGroup: 'لا مجموعة كانت قد مُنحته',
  noGroupGranted: 'لم تكن أي مجموعة قد مُنحت هذا التطبيق.',
  granted: (groups: string) => `كان ممنوحًا لـ${groups}، ولم يكن هذا الشخص من أعضائها.`,
  reasons: {
    ...now.ar.reasons,
    unrestricted: 'كان مفتوحًا للجميع',
    role: (role: string, permission: string) => `دور ${role} كان يعطي صلاحية ${permission}`,
    roleThrough: (role: string, permission: string, group: string) => `دور ${role}، من مجموعة ${group}، كان يعطي صلاحية ${permission}`,
    group: (group: string) => `مجموعة ${group} كانت قد مُنحته`,
  },
  nothing: 'لم تكن تظهر أي تطبيقات.',
  off: 'كان الحساب معطّلًا أو التطبيق مخفيًا.',
  notFound: 'لم يكن الحساب أو التطبيق موجودًا حينها.',
  userNotFound: 'لم يكن الحساب موجودًا حينها.',
}

const en: typeof ar = {
  ...now.en,
  questions: {
    unknown: 'Could {user} see {app} {at}?',
    no: 'Why could {user} not see {app} {at}?',
    yes: 'Why could {user} see {app} {at}?',
    app: now.en.questions.app,
    user: 'What could {user} see {at}?',
  },
  because: {
    restricted: (app, needs) => `Because ${app} was only for people with ${needs}.`,
    unrestricted: (app) => `Because ${app} was open to everyone.`,
    admin: (name) => `Because ${name} was an administrator of the portal.`,
    permission: (role, permission) => `Because the role ${role} granted ${permission}, which opened it.`,
    group: (group, app) => `Because the group ${group} was granted ${app}.`,
    several: countedEn({ one: 'In # way.', other: 'In # ways.' }),
  },
  everyoneWhy: 'Everyone with an account saw it.',
  permission: 'A permission opened it',
  noPermission: 'No permission opened it',
  asks: (wanted) => `The app asked for ${wanted}.`,
  has: (held) => `Held then: ${held}.`,
  hasNone: 'None was held then.',
  group: 'A group was granted it',
  noGroup: 'No group was granted it',
  noGroupGranted: 'No group at all was granted this app.',
  granted: (groups) => `It was granted to ${groups}, of which this person wasn’t a member.`,
  reasons: {
    ...now.en.reasons,
    unrestricted: 'It was open to everyone',
    role: (role, permission) => `The role ${role} granted ${permission}`,
    roleThrough: (role, permission, group) => `The role ${role}, from the group ${group}, granted ${permission}`,
    group: (group) => `The group ${group} was granted it`,
  },
  nothing: 'No app was visible to them.',
  off: 'The account was deactivated or the app was hidden.',
  notFound: 'The account or the app didn’t exist then.',
  userNotFound: 'The account didn’t exist then.',
}

export const both = { ar, en }
export const past = texts(both)
/** The texts about now or, with `at`, about a past moment. */
export const textsAt = (at: string | undefined): typeof t => (at ? past : t)
