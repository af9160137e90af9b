/**
 * The rules that a field of a request can break, each with a sentence per language that a form can show beside the field.
 */
import { answerRules } from './answer-rules.ts'
import { counted, numberOf } from './counted.ts'
import { fileRules } from './file-rules.ts'
import { type Form, forms, type Sentence } from './forms.ts'

/** One failing field: `path` in dotted form, the rule it breaks, and that rule's bounds. `message` is the English sentence. */
export interface Detail {
  path: string
  rule: FieldRule
  params: Record<string, unknown>
  message: string
  messageAr: string
  messageEn: string
}

function listed(values: readonly unknown[]): Sentence {
  const words = values.filter((value) => value !== null)
  const [orNullEn, orNullAr] = words.length < values.length ? [', or null', '، أو null'] : ['', '']
  return { en: words.join(', ') + orNullEn, ar: words.join('، ') + orNullAr }
}
const quoted = (fields: readonly string[]): Sentence => {
  const [en, ar] = [new Intl.ListFormat('en'), new Intl.ListFormat('ar')]
  const names = fields.map((field) => `\`${field}\``)
  return { en: en.format(names), ar: ar.format(names) }
}

const types: Record<string, Sentence> = {
  string: { en: 'text', ar: 'نصًّا' },
  integer: { en: 'a whole number', ar: 'عددًا صحيحًا' },
  number: { en: 'a number', ar: 'عددًا' },
  boolean: { en: 'true or false', ar: 'true أو false' },
  array: { en: 'a list', ar: 'قائمة' },
  object: { en: 'an object', ar: 'كائنًا' },
  null: { en: 'null', ar: 'null' },
  images: { en: 'a picture', ar: 'صورة' },
  pdf: { en: 'a PDF file', ar: 'ملف PDF' },
}

interface LimitParams {
  limit: number
}
const rules = {
  // Keywords of JSON Schema.
  required: ({ unless }: { unless?: readonly string[] }) =>
    unless === undefined
      ? { en: 'This field is required.', ar: 'هذا الحقل مطلوب.' }
      : {
          en: `This field is required unless ${quoted(unless).en} ${unless.length === 1 ? 'is' : 'are'} given.`,
          ar: `هذا الحقل مطلوب ما لم تُحدَّد قيمة ${quoted(unless).ar}.`,
        },
  type: ({ type }: { type: string | readonly string[] }) => {
    const names = [type].flat().map((name) => types[name]!)
    return {
      en: `This must be ${names.map(({ en }) => en).join(' or ')}.`,
      ar: `يجب أن تكون القيمة ${names.map(({ ar }) => ar).join(' أو ')}.`,
    }
  },
  minLength: ({ limit }: LimitParams) =>
    limit === 1
      ? { en: 'This must not be empty.', ar: 'لا يمكن ترك هذا الحقل فارغًا.' }
      : { en: `Use at least ${counted(limit, 'character').en}.`, ar: `استخدم ${counted(limit, 'character').ar} على الأقل.` },
  maxLength: ({ limit }: LimitParams) => ({
    en: `Use at most ${counted(limit, 'character').en}.`,
    ar: `استخدم ${counted(limit, 'character').ar} على الأكثر.`,
  }),
  minItems: ({ limit }: LimitParams) => ({
    en: `Choose at least ${counted(limit, 'item').en}.`,
    ar: `اختر ${counted(limit, 'item').ar} على الأقل.`,
  }),
  maxItems: ({ limit }: LimitParams) => ({
    en: `Choose at most ${counted(limit, 'item').en}.`,
    ar: `اختر ${counted(limit, 'item').ar} على الأكثر.`,
  }),
  uniqueItems: () => ({ en: 'No item may occur twice.', ar: 'لا يجوز تكرار أي عنصر.' }),
  minimum: ({ limit }: LimitParams) => ({
    en: `This must be at least ${numberOf(limit).en}.`,
    ar: `يجب ألا يقل العدد عن ${numberOf(limit).ar}.`,
  }),
  maximum: ({ limit }: LimitParams) => ({
    en: `This must be at most ${numberOf(limit).en}.`,
    ar: `يجب ألا يزيد العدد على ${numberOf(limit).ar}.`,
  }),
  enum: ({ allowedValues }: { allowedValues: readonly unknown[] }) => ({
    en: `This must be one of: ${listed(allowedValues).en}.`,
    ar: `يجب أن تكون القيمة إحدى القيم الآتية: ${listed(allowedValues).ar}.`,
  }),
  const: ({ allowedValue }: { allowedValue: unknown }) => ({
    en: `This must be ${allowedValue}.`,
    ar: `يجب أن تكون القيمة ${allowedValue}.`,
  }),
  anyOf: () => ({ en: 'This value is not valid.', ar: 'هذه القيمة غير صالحة.' }),
  pattern: ({ form }: { form: Form }) => forms[form],

  // Texts, files and the body as a whole.
  clean: ({ limit }: LimitParams) => ({
    en: `This has more than ${limit} combining marks in a row.`,
    ar: `يوجد أكثر من ${limit} علامة تشكيل متتالية.`,
  }),
  visible: () => ({ en: 'This needs a visible character.', ar: 'يجب أن يحتوي هذا الحقل على حرف مرئي.' }),
  known: () => ({ en: 'There is no such parameter here.', ar: 'لا يوجد هنا معامل بهذا الاسم.' }),
  storable: () => ({ en: 'This contains characters that cannot be stored.', ar: 'يحتوي هذا الحقل على أحرف لا يمكن تخزينها.' }),
  json: ({ reason }: { reason: string }) => ({
    en: `The body is not valid JSON: ${reason}.`.slice(0, 200),
    ar: 'محتوى الطلب ليس بصيغة JSON سليمة.',
  }),
  maxDepth: ({ limit }: LimitParams) => ({
    en: `The body is nested more than ${numberOf(limit).en} levels deep.`,
    ar: `يتجاوز التداخل في محتوى الطلب ${numberOf(limit).ar} مستوى.`,
  }),
  maxValues: ({ limit }: LimitParams) => ({
    en: `The body has more than ${numberOf(limit).en} values.`,
    ar: `يتجاوز عدد القيم في محتوى الطلب ${numberOf(limit).ar}.`,
  }),
  maxBytes: ({ limit }: LimitParams) => ({
    en: `This takes more than ${numberOf(limit).en} bytes.`,
    ar: `يتجاوز حجم هذا الحقل ${numberOf(limit).ar} بايت.`,
  }),
  size: ({ bytes }: { bytes: number }) => ({
    en: `The content must have exactly ${numberOf(bytes).en} bytes.`,
    ar: `يجب أن يكون حجم المحتوى ${numberOf(bytes).ar} بايت تمامًا.`,
  }),
  fetched: ({ bytes }: { bytes: number }) => ({
    en: `No picture of at most ${numberOf(bytes).en} bytes could be fetched from this address.`,
    ar: `تعذّر جلب صورة لا يتجاوز حجمها ${numberOf(bytes).ar} بايت من هذا العنوان.`,
  }),
  picture: () => ({ en: 'This file is not a picture.', ar: 'هذا الملف ليس صورة.' }),
  commonPassword: () => ({ en: 'Many people use this password; choose another.', ar: 'كلمة المرور هذه شائعة؛ اختر غيرها.' }),
  ownName: () => ({
    en: 'Choose a password without your name, your email address or the name of the portal.',
    ar: 'اختر كلمة مرور لا تتضمن اسمك ولا بريدك الإلكتروني ولا اسم البوابة.',
  }),

  // References.
  ownerRights: ({ scopes }: { scopes: readonly string[] }) => ({
    en: `The owner of the token does not have the right to this: ${listed(scopes).en}.`,
    ar: `ليس لصاحب الرمز حق في هذه النطاقات: ${listed(scopes).ar}.`,
  }),
  exists: () => ({ en: 'What this refers to does not exist.', ar: 'ما يشير إليه هذا الحقل غير موجود.' }),
  notSelf: () => ({ en: 'You cannot choose yourself.', ar: 'لا يمكنك اختيار نفسك.' }),
  receiver: () => ({ en: 'This person does not receive orders.', ar: 'هذا الشخص ليس من مستلمي الطلبات.' }),
  beneficiary: () => ({ en: 'This cannot be ordered for this person.', ar: 'لا يمكن طلب هذه الخدمة لهذا الشخص.' }),
  theDefault: () => ({
    en: 'Make another calendar the default one first.',
    ar: 'اجعل تقويمًا آخر هو الافتراضي أولًا.',
  }),
  noGroups: () => ({ en: 'Name at least one group.', ar: 'اذكر مجموعة واحدة على الأقل.' }),
  publicAddress: () => ({
    en: 'This must be an https address of a public push service.',
    ar: 'يجب أن تكون القيمة عنوان https لخدمة إشعارات عامة.',
  }),
  providerAddress: () => ({
    en: 'This must be an https address without a query; http only of a host that the operator allows.',
    ar: 'يجب أن تكون القيمة عنوان https بلا استعلام، ولا يُقبل http إلا لمضيف يسمح به مشغّل البوابة.',
  }),
  webhookAddress: () => ({
    en: 'This must be a public https address without a username; http and internal hosts only where the operator allows them.',
    ar: 'يجب أن تكون القيمة عنوان https عامًّا بلا اسم مستخدم، ولا يُقبل http أو مضيف داخلي إلا إذا سمح به مشغّل البوابة.',
  }),
  checked: () => ({
    en: 'Check the provider first: since its settings changed, no check has passed.',
    ar: 'افحص المزوّد أولًا؛ فلم ينجح أي فحص منذ تغيّرت إعداداته.',
  }),
  key: () => ({
    en: 'This must be the key of a push subscription, as the browser gives it.',
    ar: 'يجب أن تكون القيمة مفتاح اشتراك الإشعارات كما يعطيه المتصفح.',
  }),

  // Conditions for requiring a provider or a second factor.
  ownProviderSignIn: () => ({
    en: 'Confirm through an active provider that you can sign in there.',
    ar: 'أكّد هويتك عبر مزوّد دخول مفعّل ليثبت أنك تستطيع الدخول منه.',
  }),
  exceptions: () => ({
    en: 'Mark one to five active administrators as exceptions.',
    ar: 'استثنِ من مدير مفعّل واحد إلى خمسة مديرين.',
  }),
  exceptionPassword: ({ limit }: LimitParams) => ({
    en: `Each exception needs a password of at least ${counted(limit, 'character').en}, chosen after becoming one.`,
    ar: `يحتاج كل مستثنى إلى كلمة مرور لا تقل عن ${counted(limit, 'character').ar} يختارها بعد استثنائه.`,
  }),
  exceptionFactor: () => ({
    en: 'Each exception needs a passkey or an authenticator app.',
    ar: 'يحتاج كل مستثنى إلى مفتاح مرور أو تطبيق مصادقة.',
  }),
  ownFactor: () => ({
    en: 'Set up a second factor for yourself first.',
    ar: 'أضف وسيلة تحقق ثانية لحسابك أولًا.',
  }),

  // Dates, and fields that depend on each other.
  calendarDate: () => ({ en: 'Enter a date of the calendar, such as 2026-03-01.', ar: 'أدخل تاريخًا صحيحًا من التقويم، مثل 2026-03-01.' }),
  order: () => ({ en: 'The first day must not be after the last day.', ar: 'يجب ألا يكون اليوم الأول بعد اليوم الأخير.' }),
  overlap: () => ({ en: 'This overlaps with another one.', ar: 'يتداخل هذا مع غيره.' }),
  workingTime: () => ({
    en: 'Somebody must work at least once in each 60 days of the next two years.',
    ar: 'يجب ألا تخلو ستون يومًا متتالية من أي دوام خلال السنتين المقبلتين.',
  }),
  afterStart: () => ({ en: 'The end must be after the start.', ar: 'يجب أن يكون وقت الانتهاء بعد وقت البدء.' }),
  maxDays: ({ limit }: LimitParams) => ({
    en: `Choose at most ${counted(limit, 'day').en}, counting the first and the last.`,
    ar: `يجب ألا تزيد المدة على ${counted(limit, 'day').ar}، بما فيها اليوم الأول واليوم الأخير.`,
  }),
  comingDays: ({ limit }: LimitParams) => ({
    en: `Choose a moment that is still to come, at most ${counted(limit, 'day').en} ahead.`,
    ar: `اختر وقتًا لم يأتِ بعد، على ألا يتجاوز ${counted(limit, 'day').ar} من الآن.`,
  }),
  fromToday: ({ limit }: LimitParams) => ({
    en: `Choose a day from today to ${counted(limit, 'day').en} ahead.`,
    ar: `اختر يومًا ابتداءً من اليوم، على ألا يتجاوز ${counted(limit, 'day').ar} من الآن.`,
  }),
  untilNow: () => ({ en: 'Choose a moment that is not later than now.', ar: 'اختر وقتًا لا يتجاوز اللحظة الحالية.' }),
  exclusive: ({ fields }: { fields: readonly string[] }) => ({
    en: `This cannot be combined with ${quoted(fields).en}.`,
    ar: `لا يمكن الجمع بين هذا الحقل و${quoted(fields).ar}.`,
  }),
  onlyWith: ({ field }: { field: string }) => ({
    en: `Give this only together with \`${field}\`.`,
    ar: `لا تُحدَّد هذه القيمة إلا مع \`${field}\`.`,
  }),
  ofKind: () => ({ en: 'Records of this kind do not have this field.', ar: 'ليس لهذا النوع من السجلات هذا الحقل.' }),
  minProperties: ({ fields }: { fields: readonly string[] }) => ({
    en: `Give at least one of: ${listed(fields).en}.`,
    ar: `حدّد قيمة واحدة على الأقل مما يأتي: ${listed(fields).ar}.`,
  }),
  maxTotal: ({ limit }: LimitParams) => ({
    en: `With this, the notes would have more than ${counted(limit, 'character').en}.`,
    ar: `بهذه الإضافة تتجاوز الملاحظات ${counted(limit, 'character').ar}.`,
  }),
  ...answerRules,
  ...fileRules,
} as const

export type FieldRule = keyof typeof rules
export const fieldRules = Object.keys(rules) as FieldRule[]
type ParamsOf<Rule extends FieldRule> = Parameters<(typeof rules)[Rule]> extends [infer P] ? P : Record<never, never>
type RuleParams<Rule extends FieldRule> = Record<never, never> extends ParamsOf<Rule> ? [params?: ParamsOf<Rule>] : [params: ParamsOf<Rule>]

/** A field that breaks a rule, with the rule's sentences. */
export function fieldError<Rule extends FieldRule>(path: string, rule: Rule, ...[params = {} as ParamsOf<Rule>]: RuleParams<Rule>): Detail {
  return ruleError(path, rule, params as Record<string, unknown>)
}

/** As `fieldError`, with parameters whose type only the validator knows. */
export function ruleError(path: string, rule: FieldRule, params: Record<string, unknown>): Detail {
  const write: { sentence(params: object): Sentence } = { sentence: rules[rule] }
  const { en, ar } = write.sentence(params)
  return { path, rule, params, message: en, messageAr: ar, messageEn: en }
}
