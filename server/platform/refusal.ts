/** Every way the portal says no: status, English, Arabic. The code is the contract; the words are for people. */
export const refusals = {
  validation_failed: [400, 'The request is not valid.', 'الطلب غير صالح.'],
  username_taken: [409, 'This username is already taken.', 'اسم المستخدم مستخدم من قبل.'],
  email_taken: [409, 'This e-mail address is already taken.', 'البريد الإلكتروني مستخدم من قبل.'],
  slug_taken: [409, 'This slug is already taken.', 'المعرّف النصي مستخدم من قبل.'],
  name_taken: [409, 'This name is already taken.', 'الاسم مستخدم من قبل.'],
  cannot_delete_self: [400, 'You cannot delete your own account.', 'لا يمكنك حذف حسابك.'],
  cannot_deactivate_self: [400, 'You cannot deactivate your own account.', 'لا يمكنك تعطيل حسابك.'],
  system_role: [400, 'A system role cannot be renamed or deleted.', 'لا يمكن حذف دور من أدوار النظام أو تغيير اسمه.'],
  system_role_permissions: [400, 'The permissions of a system role cannot be changed.', 'لا يمكن تغيير صلاحيات دور من أدوار النظام.'],
  system_group: [400, 'A system group cannot be deleted.', 'لا يمكن حذف مجموعة من مجموعات النظام.'],
  system_permission: [400, 'A built-in permission cannot be deleted.', 'لا يمكن حذف صلاحية مدمجة في النظام.'],
  unknown_ids: [400, 'Some of the ids do not exist.', 'بعض المعرّفات غير موجودة.'],
  invalid_token: [400, 'The link is invalid or has expired.', 'الرابط غير صالح أو انتهت صلاحيته.'],
  invalid_password: [400, 'The current password is wrong.', 'كلمة المرور الحالية غير صحيحة.'],
  service_unavailable: [400, 'This service cannot be ordered.', 'لا يمكن طلب هذه الخدمة.'],
  invalid_transition: [400, 'It cannot move to this status.', 'لا يمكن الانتقال إلى هذه الحالة.'],
  undo_window_expired: [400, 'The time to undo the cancellation has passed.', 'انتهت مهلة التراجع عن الإلغاء.'],
  invalid_credentials: [401, 'Wrong username or password.', 'اسم المستخدم أو كلمة المرور غير صحيحة.'],
  unauthorized: [401, 'Sign in first.', 'سجّل الدخول أولاً.'],
  forbidden: [403, 'You are not allowed to do this.', 'لا تملك صلاحية هذا الإجراء.'],
  registration_closed: [403, 'Registration is closed.', 'التسجيل مغلق.'],
  not_found: [404, 'Not found.', 'غير موجود.'],
  route_not_found: [404, 'There is no such address.', 'لا يوجد عنوان كهذا.'],
  already_claimed: [409, 'Someone else has already received this order.', 'استلم شخص آخر هذا الطلب من قبل.'],
  has_dependents: [409, 'Other records depend on this one.', 'ترتبط سجلات أخرى بهذا السجل.'],
  last_admin: [409, 'The portal must keep an active administrator.', 'يجب أن يبقى للبوابة مدير نشط واحد على الأقل.'],
  too_large: [413, 'The request is too large.', 'حجم الطلب أكبر من المسموح.'],
  unsupported_media_type: [415, 'Only JSON is accepted.', 'لا يُقبل إلا JSON.'],
  range_not_satisfiable: [416, 'There is nothing in that range.', 'لا يوجد شيء في هذا النطاق.'],
  rate_limited: [429, 'Too many attempts; try again later.', 'محاولات كثيرة؛ حاول لاحقاً.'],
  internal: [500, 'Something went wrong.', 'حدث خطأ غير متوقع.'],
  push_not_configured: [503, 'Web Push is not set up on this portal.', 'إشعارات المتصفح غير مفعّلة في هذه البوابة.'],
  unavailable: [503, 'The portal is unavailable at the moment; try again shortly.', 'البوابة غير متاحة حالياً؛ حاول بعد قليل.'],
} as const satisfies Record<string, readonly [status: number, en: string, ar: string]>

export type RefusalCode = keyof typeof refusals

/** What a refusal says besides its code. */
export interface RefusalExtras {
  /** Another status than the table's, where the specification gives one place its own. */
  status?: number
  /** Seconds until another try makes sense. */
  retryAfter?: number
  /** Fields of the body: conflict counts, unknown ids, failing fields. */
  body?: Record<string, unknown>
}

export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: RefusalCode
  readonly extras: RefusalExtras
  constructor(code: RefusalCode, extras: RefusalExtras = {}) {
    super(code)
    this.code = code
    this.extras = extras
  }
}

export const refuse = (code: RefusalCode, extras?: RefusalExtras): never => {
  throw new Refusal(code, extras)
}

/** One failing field of a request, `path` in dotted form. */
export interface Detail {
  path: string
  message: string
}
export const refuseField = (path: string, message: string): never => refuse('validation_failed', { body: { details: [{ path, message }] } })

/** Codes that the specification has appear as `error` themselves; elsewhere `error` is the English sentence. */
const spoken: Partial<Record<RefusalCode, string>> = {
  unauthorized: 'Unauthorized',
  forbidden: 'Forbidden',
  system_role_permissions: 'system_role_permissions',
  already_claimed: 'already_claimed',
  undo_window_expired: 'undo_window_expired',
}

export const refusalStatus = ({ code, extras }: Refusal) => extras.status ?? refusals[code][0]

/** The body of a refusal as it goes over the wire. */
export function refusalBody({ code, extras }: Refusal) {
  const [, en, ar] = refusals[code]
  return { error: spoken[code] ?? en, code, messageAr: ar, messageEn: en, ...extras.body }
}
