import { type Detail, type FieldRule, fieldError } from './field-errors.ts'

/** Every refusal: its status and its text in English and Arabic. The code is the contract; the texts are for people. */
export const refusals = {
  validation_failed: [400, 'The request is not valid.', 'الطلب غير صالح.'],
  username_taken: [409, 'This username is already taken.', 'اسم المستخدم غير متاح.'],
  email_taken: [409, 'This email address is already taken.', 'عنوان البريد الإلكتروني مسجّل من قبل.'],
  slug_taken: [409, 'This slug is already taken.', 'المعرّف النصي غير متاح.'],
  name_taken: [409, 'This name is already taken.', 'الاسم غير متاح.'],
  cannot_delete_self: [400, 'You cannot delete your own account.', 'لا يمكنك حذف حسابك.'],
  cannot_deactivate_self: [400, 'You cannot deactivate your own account.', 'لا يمكنك تعطيل حسابك.'],
  system_role: [400, 'A system role cannot be renamed or deleted.', 'لا يمكن حذف أدوار النظام أو تغيير أسمائها.'],
  system_role_permissions: [400, 'The permissions of a system role cannot be changed.', 'لا يمكن تغيير صلاحيات أدوار النظام.'],
  system_group: [400, 'A system group cannot be renamed or deleted.', 'لا يمكن حذف مجموعات النظام أو تغيير أسمائها.'],
  system_permission: [400, 'A built-in permission cannot be deleted.', 'لا يمكن حذف الصلاحيات المدمجة في النظام.'],
  not_executive: [
    400,
    'A task can be assigned only to people with executive access.',
    'لا تُسند المهام إلا إلى من له صلاحية الاجتماعات التنفيذية.',
  ],
  not_requestable: [
    400,
    'Nobody can ask to join this group, a system group, or a group that gives the role admin.',
    'لا يُطلب الانضمام إلى هذه المجموعة، ولا إلى مجموعات النظام، ولا إلى مجموعة يصبح أعضاؤها مديرين للبوابة.',
  ],
  reason_required: [400, 'Give a reason.', 'اذكر السبب.'],
  unknown_ids: [400, 'Some of the ids do not exist.', 'بعض المعرّفات غير موجود.'],
  too_many_items: [
    400,
    'This would be more than the portal takes here. Choose fewer, or remove some first.',
    'هذا أكثر مما تتسع له البوابة هنا. اختر أقل، أو احذف بعض الموجود أولًا.',
  ],
  missing_ids: [400, 'The order must name all of them.', 'يجب أن يشمل الترتيب العناصر كلها.'],
  invalid_token: [400, 'The link is invalid or has expired.', 'الرابط غير صحيح أو انتهت صلاحيته.'],
  invalid_password: [400, 'The current password is wrong.', 'كلمة المرور الحالية غير صحيحة.'],
  grants_admin: [
    400,
    'This would make people administrators. Confirm that you want it.',
    'يجعل هذا أشخاصًا مديرين للبوابة. أكّد أنك تريد ذلك.',
  ],
  service_unavailable: [400, 'This service cannot be ordered.', 'لا يمكن طلب هذه الخدمة.'],
  invalid_transition: [400, 'This status cannot follow the current one.', 'لا يمكن الانتقال من الحالة الحالية إلى هذه الحالة.'],
  too_late: [400, 'The time for this is over.', 'انقضى وقت هذا الإجراء.'],
  undo_window_expired: [400, 'It is too late to undo this.', 'انقضت مهلة التراجع.'],
  // A locked account gets the same text, so that nobody learns of the lock. The text therefore also says what the owner of a locked account
  // can do.
  invalid_credentials: [
    401,
    'The username or the password is wrong. After several wrong tries, wait 15 minutes or ask for a new password.',
    'خطأ في اسم المستخدم أو كلمة المرور. إن تكرر الخطأ، فانتظر 15 دقيقة أو اطلب كلمة مرور جديدة.',
  ],
  second_factor_required: [
    401,
    'The password is right. Complete the second step to sign in.',
    'كلمة المرور صحيحة. أكمل الخطوة الثانية لتسجيل الدخول.',
  ],
  invalid_factor: [
    401,
    'The code or the passkey was not accepted. Try again, or use another way.',
    'لم يُقبل الرمز أو مفتاح المرور. حاول مرة أخرى أو استخدم طريقة أخرى.',
  ],
  unauthorized: [401, 'Sign in first.', 'سجّل الدخول أولًا.'],
  forbidden: [403, 'You are not allowed to do this.', 'ليست لديك صلاحية هذا الإجراء.'],
  foreign_origin: [403, 'This page does not belong to the portal.', 'هذه الصفحة لا تنتمي إلى البوابة.'],
  registration_closed: [403, 'Registration is closed.', 'التسجيل مغلق.'],
  not_for_tokens: [403, 'An API token cannot do this.', 'لا يمكن تنفيذ هذا الإجراء برمز واجهة البرمجة.'],
  insufficient_scope: [403, 'The scopes of this API token do not include this.', 'لا تشمل نطاقات رمز واجهة البرمجة هذا الإجراء.'],
  enrolment_required: [
    403,
    'Your role requires a second way to sign in. Set one up to continue.',
    'يتطلب دورك وسيلة تحقق ثانية. أضف وسيلة للمتابعة.',
  ],
  confirmation_required: [403, 'Confirm that it is you to continue.', 'أكّد هويتك للمتابعة.'],
  not_found: [404, 'Not found.', 'غير موجود.'],
  route_not_found: [404, 'There is nothing at this address.', 'العنوان المطلوب غير موجود.'],
  method_not_allowed: [405, 'This address does not take this method.', 'لا يقبل هذا العنوان هذه الطريقة.'],
  not_acceptable: [406, 'This is not available in any of the accepted formats.', 'لا يتوفر هذا بأي من الصيغ المقبولة.'],
  body_too_slow: [408, 'The request stopped arriving; send it again.', 'توقف وصول الطلب؛ أرسله مرة أخرى.'],
  already_claimed: [409, 'This order is no longer waiting to be claimed.', 'لم يعد هذا الطلب في انتظار الاستلام.'],
  already_member: [409, 'You are a member of this group already.', 'أنت عضو في هذه المجموعة.'],
  already_requested: [409, 'You have asked to join this group already.', 'سبق أن طلبت الانضمام إلى هذه المجموعة.'],
  no_approver: [409, 'There is nobody who could decide on this request.', 'لا يوجد من يبتّ في هذا الطلب.'],
  awaiting_approval: [409, 'This order is waiting for approval.', 'هذا الطلب بانتظار الموافقة.'],
  form_changed: [409, 'The form has changed. Look at your answers once more.', 'تغيّر النموذج. راجع إجاباتك.'],
  identity_taken: [
    409,
    'This account at the provider belongs to someone else here, or you have connected another one.',
    'هذا الحساب لدى مزوّد الدخول مرتبط بشخص آخر، أو سبق أن ربطت حسابًا غيره.',
  ],
  managed_elsewhere: [409, 'The members of this group are managed elsewhere.', 'تُدار عضوية هذه المجموعة من نظام آخر.'],
  has_dependents: [409, 'Other records depend on this one.', 'توجد سجلات أخرى مرتبطة بهذا السجل.'],
  import_under_way: [409, 'A file of yours is being imported. Wait until it is done.', 'يجري استيراد ملف لك الآن. انتظر حتى يكتمل.'],
  unexpected_deactivations: [
    409,
    'The file would deactivate another number of people than you confirmed, or more than a fifth of all.',
    'عدد من سيُعطَّلون بهذا الملف غير العدد الذي أكدته، أو يزيد على خُمس الحسابات المفعّلة.',
  ],
  last_admin: [
    409,
    'The portal needs at least one active administrator. Make someone else one first.',
    'يجب أن يبقى للبوابة مدير مفعّل واحد على الأقل. اجعل غيره مديرًا أولًا.',
  ],
  last_sign_in_method: [
    409,
    'This is the last way to sign in; add another one first.',
    'هذه آخر طريقة متاحة لتسجيل الدخول؛ أضف طريقة أخرى أولًا.',
  ],
  last_break_glass: [
    409,
    'At least one administrator must be able to sign in without the provider.',
    'يجب أن يبقى مدير واحد على الأقل يستطيع تسجيل الدخول دون مزوّد الدخول.',
  ],
  too_much_to_print: [
    400,
    'This day has more text than one PDF holds at this font size.',
    'نصوص هذا اليوم أكثر مما تتسع له وثيقة واحدة بهذا الحجم من الخط.',
  ],
  quota_exceeded: [409, 'You have reached the limit for one person.', 'بلغت الحد المخصص للشخص الواحد.'],
  upload_under_way: [409, 'This file is already being uploaded.', 'يجري رفع هذا الملف حاليًا.'],
  changed_since: [
    409,
    'This has been changed since; putting it back would undo that as well.',
    'تغيّر هذا بعد ذلك، وإعادته إلى ما كان عليه تمحو التغيير الأحدث أيضًا.',
  ],
  nothing_to_revert: [409, 'There is nothing to put back.', 'لا يوجد ما يمكن إعادته إلى ما كان عليه.'],
  changed_meanwhile: [412, 'Somebody else has changed this meanwhile.', 'عدّل شخص آخر هذه البيانات في هذه الأثناء.'],
  idempotency_mismatch: [422, 'This idempotency key was used for another request.', 'سبق استخدام مفتاح التكرار هذا لطلب آخر.'],
  answer_forgotten: [409, 'This was carried out before; its answer is no longer kept.', 'سبق تنفيذ هذا الطلب، ولم يعد رده محفوظًا.'],
  too_large: [413, 'The request is too large.', 'حجم الطلب أكبر من الحد المسموح به.'],
  unsupported_media_type: [415, 'Only JSON is accepted.', 'لا تُقبل البيانات إلا بصيغة JSON.'],
  range_not_satisfiable: [416, 'The requested range lies outside the file.', 'النطاق المطلوب خارج حدود الملف.'],
  rate_limited: [429, 'Too many attempts; try again later.', 'تكررت المحاولات؛ حاول لاحقًا.'],
  internal: [500, 'Something went wrong.', 'حدث خطأ غير متوقع.'],
  push_not_configured: [503, 'Web Push is not set up on this portal.', 'إشعارات المتصفح غير مهيأة في هذه البوابة.'],
  secrets_not_configured: [
    503,
    'The key for encrypting secrets is not set up on this portal.',
    'مفتاح تشفير الأسرار غير مهيأ في هذه البوابة.',
  ],
  unavailable: [503, 'The portal is unavailable at the moment; try again shortly.', 'البوابة غير متاحة حاليًا؛ حاول بعد قليل.'],
} as const satisfies Record<string, readonly [status: number, en: string, ar: string]>

/** The quotas, and the sentence for each when it is used up, in English and Arabic. */
const sharesUsedUp = {
  notes: [
    'You have as many notes as one person can have. Delete some to write new ones.',
    'بلغت ملاحظاتك الحد الأقصى. احذف بعضها لتكتب غيرها.',
  ],
  note_bytes: [
    'The text of your notes takes up all of your space. Delete or shorten some.',
    'ملأت نصوص ملاحظاتك المساحة المخصصة لك. احذف بعضها أو اختصره.',
  ],
  labels: [
    'You have 500 labels, which is the limit. Delete some to add new ones.',
    'لديك 500 وسم، وهو الحد الأقصى. احذف بعضها لتضيف غيرها.',
  ],
  folders: [
    'You have 500 folders, which is the limit. Delete some to add new ones.',
    'لديك 500 مجلد، وهو الحد الأقصى. احذف بعضها لتضيف غيرها.',
  ],
  upload_slots: [
    'You have too many uploads open. Wait until one of them finishes.',
    'لديك عدد كبير من عمليات الرفع المفتوحة. انتظر انتهاء إحداها.',
  ],
  object_bytes: [
    'Your files take up all of your space. Delete some to add new ones.',
    'ملأت ملفاتك المساحة المخصصة لك. احذف بعضها لتضيف غيرها.',
  ],
  objects: [
    'You have uploaded as many files as one person can. Delete some to add new ones.',
    'بلغ عدد الملفات التي رفعتها الحد الأقصى. احذف بعضها لتضيف غيرها.',
  ],
  tokens: ['You have 20 API tokens, which is the limit. End one to make another.', 'لديك 20 رمزًا، وهو الحد الأقصى. أبطل أحدها لتنشئ غيره.'],
  service_tokens: [
    'This service account has 10 API tokens, which is the limit. End one to make another.',
    'لحساب الخدمة هذا 10 رموز، وهو الحد الأقصى. أبطل أحدها لتنشئ غيره.',
  ],
  source_tokens: [
    'This source has two API tokens, which is the limit. End one to make another.',
    'لهذا المصدر رمزان، وهو الحد الأقصى. أبطل أحدهما لتنشئ غيره.',
  ],
  sources: [
    'There are 10 sources, which is the limit. Delete one to add another.',
    'بلغ عدد المصادر 10، وهو الحد الأقصى. احذف أحدها لتضيف غيره.',
  ],
  service_accounts: [
    'There are 200 service accounts, which is the limit. Delete one to add another.',
    'بلغ عدد حسابات الخدمة 200، وهو الحد الأقصى. احذف أحدها لتضيف غيره.',
  ],
  pending_orders: [
    'You have 100 orders waiting, which is the limit. Wait until some are claimed, or cancel some.',
    'لديك 100 طلب في الانتظار، وهو الحد الأقصى. انتظر استلام بعضها أو ألغِ بعضها.',
  ],
  order_messages: [
    'This order has 200 messages of this kind, which is the limit.',
    'بلغ عدد الرسائل من هذا النوع في هذا الطلب 200، وهو الحد الأقصى.',
  ],
  pending_access_requests: [
    'You have 20 requests for access waiting, which is the limit. Wait until some are decided, or withdraw some.',
    'لديك 20 طلب انضمام قيد الانتظار، وهو الحد الأقصى. انتظر البتّ في بعضها أو اسحب بعضها.',
  ],
  access_requests_of_group: [
    'You have asked for this group five times within 24 hours. Try again tomorrow.',
    'طلبت الانضمام إلى هذه المجموعة خمس مرات خلال 24 ساعة. حاول غدًا.',
  ],
  passkeys: [
    'You have 20 passkeys, which is the limit. Remove one to add another.',
    'لديك 20 مفتاح مرور، وهو الحد الأقصى. أزل أحدها لتضيف غيره.',
  ],
  totp: ['You have an authenticator app already. Remove it to set up another one.', 'لديك تطبيق مصادقة مرتبط بحسابك. أزله لتضيف غيره.'],
  sign_in_exceptions: [
    'Five administrators are exceptions already, which is the limit.',
    'بلغ عدد المديرين المستثنين خمسة، وهو الحد الأقصى.',
  ],
  sign_in_providers: [
    'There are 20 providers, which is the limit. Delete one to add another.',
    'بلغ عدد المزوّدين 20، وهو الحد الأقصى. احذف أحدهم لتضيف غيره.',
  ],
  webhooks: [
    'There are 50 webhooks, which is the limit. Delete some to add new ones.',
    'بلغ عدد خطافات الويب 50، وهو الحد الأقصى. احذف بعضها لتضيف غيرها.',
  ],
  webhook_replay: [
    'At most 1,000 messages can be sent again at once. Choose a shorter span.',
    'أقصى ما يُعاد إرساله دفعة واحدة 1000 رسالة. اختر مدة أقصر.',
  ],
  provider_rules: ['A provider can have 2,000 rules for groups. Use fewer.', 'أقصى عدد من قواعد المجموعات لكل مزوّد 2000 قاعدة. قلّل عددها.'],
  notices: [
    'Your notes, replies, messages and requests have reached as many people as they can within an hour. Try again later.',
    'بلغت ملاحظاتك وردودك ورسائلك وطلباتك أقصى عدد من الأشخاص خلال ساعة. حاول لاحقًا.',
  ],
} as const
export type Quota = keyof typeof sharesUsedUp
export const quotas = Object.keys(sharesUsedUp) as Quota[]

export type RefusalCode = keyof typeof refusals

/** The details of a refusal besides its code. */
export interface RefusalExtras {
  /** Replaces the status in `refusals` if the specification demands a different one for an endpoint. */
  status?: number
  /** Seconds to wait before trying again; sent as `Retry-After`. */
  retryAfter?: number
  /** The methods that the address takes; sent as `Allow`. */
  allow?: string[]
  /** The media types of bodies that the endpoint takes. */
  takes?: string[]
  /** The media types of answers that the endpoint gives. */
  gives?: string[]
  /** The length of a file, when bytes beyond its end were requested; sent as `Content-Range`. */
  contentRange?: string
  /** The encrypted cookies to set or clear although the command is refused, by name; null clears a cookie. */
  cookies?: Record<string, { value: unknown; seconds: number } | null>
  /** The event that the security log names instead of the code, and the person concerned. */
  logged?: { event: string; user: number }
  /**
   * The id of the record that the refusal concerns, for the administrators of the source; by default the id in the call's address. Callers
   * never see it.
   */
  about?: number
  /** No limit counts this refusal as a try, because nothing was guessed. */
  isUncounted?: true
  /** Further fields of the body: conflict counts, unknown ids, failing fields. */
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

/** A used-up quota: how much is used, and how much is allowed. */
export interface Excess {
  quota: Quota
  used: number
  allowed: number
}
export function quotaExceeded(excess: Excess) {
  const [messageEn, messageAr] = sharesUsedUp[excess.quota]
  return new Refusal('quota_exceeded', { body: { error: messageEn, messageAr, messageEn, ...excess } })
}

/** Refuses `validation_failed` with these failing fields. */
export const refuseFields = (details: Detail[], more: Record<string, unknown> = {}): never =>
  refuse('validation_failed', { body: { details, ...more } })
/** Refuses `validation_failed` because a field breaks a rule. */
export const refuseField = <Rule extends FieldRule>(...field: Parameters<typeof fieldError<Rule>>): never =>
  refuseFields([fieldError(...field)])

export const refusalStatus = ({ code, extras }: Refusal) => extras.status ?? refusals[code][0]
