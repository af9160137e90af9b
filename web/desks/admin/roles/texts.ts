import { texts } from '../../../platform/language.ts'

const ar = {
  title: 'الأدوار',
  purpose: 'الدور يجمع صلاحيات، ويُعطى لأشخاص أو لمجموعات.',
  find: 'ابحث عن دور',
  name: 'الدور',
  holders: 'مباشرةً',
  groups: 'المجموعات',
  permissions: 'الصلاحيات',
  held: 'من له',
  everyHeld: 'كل الأدوار',
  notHeld: 'لا أحد له',
  create: 'أنشئ دورًا',
  own: 'أدوار البوابة الثابتة',
  emptyHint: 'أدوار البوابة الثابتة تكفي للبداية. أنشئ دورًا حين تحتاج فئة إلى تطبيقات لا يحتاج إليها غيرها.',
  empty: 'لا أدوار غير أدوار البوابة',
  nothing: 'لا دور بهذا الاسم. جرّب جزءًا منه، أو امسح المرشحات.',
  failed: 'تعذّر تحميل الأدوار.',
  more: (count: string) => `+${count}`,
  system: {
    admin: 'يرى كل تطبيق ويغيّر كل حق.',
    user: 'لكل من له حساب: ما ليس مقصورًا على غيره.',
    order_receiver: 'يستلم الطلبات ويجهّزها.',
    executive_ceo: 'يرى الاجتماعات، ويقرّر في طلبات تغييرها.',
    executive_office_manager: 'يدير الاجتماعات، ويقرّر في طلبات تغييرها.',
    executive_coord_lead: 'يضيف الاجتماعات ويعدّلها ويطلب تغييرها.',
    executive_coordinator: 'يضيف الاجتماعات ويعدّلها ويطلب تغييرها.',
    executive_viewer: 'يرى الاجتماعات ولا يغيّرها.',
  },
}

const en: typeof ar = {
  title: 'Roles',
  purpose: 'A role holds permissions, and is given to people or to groups.',
  find: 'Find a role',
  name: 'Role',
  holders: 'Directly',
  groups: 'Groups',
  permissions: 'Permissions',
  held: 'Held by',
  everyHeld: 'All roles',
  notHeld: 'Held by nobody',
  create: 'New role',
  own: 'The portal’s own roles',
  emptyHint: 'The portal’s own roles are enough to begin. Make one when some people need apps that others don’t.',
  empty: 'No roles but the portal’s own',
  nothing: 'No role by that name. Try a part of it, or clear the filters.',
  failed: 'The roles couldn’t be loaded.',
  more: (count) => `+${count}`,
  system: {
    admin: 'Sees every app and can change every right.',
    user: 'For everyone with an account: everything that isn’t restricted to others.',
    order_receiver: 'Claims orders and handles them.',
    executive_ceo: 'Sees the meetings, and decides on requests to change them.',
    executive_office_manager: 'Manages the meetings, and decides on requests to change them.',
    executive_coord_lead: 'Adds and edits meetings, and requests changes.',
    executive_coordinator: 'Adds and edits meetings, and requests changes.',
    executive_viewer: 'Sees the meetings, and changes nothing.',
  },
}

export const both = { ar, en }
export const t = texts(both)
