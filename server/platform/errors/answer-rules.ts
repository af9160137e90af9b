/** The rules that a service's form, or an answer to it, can break, each with its sentences. */

interface LimitParams {
  limit: number
}
const numbers = { en: new Intl.NumberFormat('en'), ar: new Intl.NumberFormat('ar-u-nu-latn') }
const numberOf = (value: number) => ({ en: numbers.en.format(value), ar: numbers.ar.format(value) })

export const answerRules = {
  kind: () => ({ en: 'This is not what the field asks for.', ar: 'هذه القيمة ليست مما يطلبه الحقل.' }),
  decimals: ({ limit }: LimitParams) =>
    limit === 0
      ? { en: 'Enter a whole number.', ar: 'أدخل عدداً صحيحاً.' }
      : { en: `Use no more decimal places than ${limit}.`, ar: `يجب ألا تزيد المنازل العشرية على ${limit}.` },
  option: () => ({ en: 'There is no such option.', ar: 'هذا الخيار غير موجود.' }),
  optionOff: () => ({ en: 'This option is not available at the moment.', ar: 'هذا الخيار غير متاح حالياً.' }),
  min: ({ limit }: LimitParams) => ({
    en: `This must be at least ${numberOf(limit).en}.`,
    ar: `يجب ألا يقل العدد عن ${numberOf(limit).ar}.`,
  }),
  max: ({ limit }: LimitParams) => ({
    en: `This must be at most ${numberOf(limit).en}.`,
    ar: `يجب ألا يزيد العدد على ${numberOf(limit).ar}.`,
  }),
  length: ({ limit }: LimitParams) => ({
    en: `This is longer than the limit of ${numberOf(limit).en}.`,
    ar: `النص أطول من الحد الأقصى، وهو ${numberOf(limit).ar}.`,
  }),
  least: ({ limit }: LimitParams) => ({
    en: `Choose no fewer than ${numberOf(limit).en}.`,
    ar: `يجب ألا يقل ما تختاره عن ${numberOf(limit).ar}.`,
  }),
  most: ({ limit }: LimitParams) => ({
    en: `Choose no more than ${numberOf(limit).en}.`,
    ar: `يجب ألا يزيد ما تختاره على ${numberOf(limit).ar}.`,
  }),
  early: () => ({ en: 'This is too early.', ar: 'هذا الموعد أقرب مما يمكن.' }),
  late: () => ({ en: 'This is too late.', ar: 'هذا الموعد أبعد مما يمكن.' }),
  closed: () => ({ en: 'The team does not work at this time.', ar: 'لا يعمل الفريق في هذا الوقت.' }),
  unknown: () => ({ en: 'What you chose does not exist.', ar: 'ما اخترته غير موجود.' }),
  inactive: () => ({ en: 'This person’s account is not active.', ar: 'حساب هذا الشخص غير نشط.' }),
  kindFixed: () => ({
    en: 'This key belonged to a field of another kind; choose another key.',
    ar: 'كان هذا المفتاح لحقل من نوع آخر؛ اختر مفتاحاً غيره.',
  }),
  when: () => ({
    en: 'This condition must read a field further up, of a kind and with options that it fits.',
    ar: 'يجب أن يستند هذا الشرط إلى حقل سابق يناسبه نوعه وخياراته.',
  }),
} as const
