/** The rules that a service's form, or an answer to it, can break, each with its sentences. */

import { counted, numberOf } from './counted.ts'

interface LimitParams {
  limit: number
}
export const answerRules = {
  kind: () => ({ en: 'This is not what the field asks for.', ar: 'هذه القيمة ليست مما يطلبه الحقل.' }),
  decimals: ({ limit }: LimitParams) =>
    limit === 0
      ? { en: 'Enter a whole number.', ar: 'أدخل عددًا صحيحًا.' }
      : {
          en: `Use at most ${counted(limit, 'decimal place').en}.`,
          ar: `اكتب ${counted(limit, 'decimal place').ar} على الأكثر.`,
        },
  option: () => ({ en: 'There is no such option.', ar: 'هذا الخيار غير موجود.' }),
  optionOff: () => ({ en: 'This option is not available at the moment.', ar: 'هذا الخيار غير متاح حاليًا.' }),
  min: ({ limit }: LimitParams) => ({
    en: `This must be at least ${numberOf(limit).en}.`,
    ar: `يجب ألا يقل العدد عن ${numberOf(limit).ar}.`,
  }),
  max: ({ limit }: LimitParams) => ({
    en: `This must be at most ${numberOf(limit).en}.`,
    ar: `يجب ألا يزيد العدد على ${numberOf(limit).ar}.`,
  }),
  length: ({ limit }: LimitParams) => ({
    en: `Use at most ${counted(limit, 'character').en}.`,
    ar: `اكتب ${counted(limit, 'character').ar} على الأكثر.`,
  }),
  least: ({ limit }: LimitParams) => ({
    en: `Choose no fewer than ${numberOf(limit).en}.`,
    ar: `يجب ألا يقل ما تختاره عن ${numberOf(limit).ar}.`,
  }),
  most: ({ limit }: LimitParams) => ({
    en: `Choose no more than ${numberOf(limit).en}.`,
    ar: `يجب ألا يزيد ما تختاره على ${numberOf(limit).ar}.`,
  }),
  early: () => ({ en: 'Choose a later time.', ar: 'اختر موعدًا أبعد.' }),
  late: () => ({ en: 'Choose an earlier time.', ar: 'اختر موعدًا أقرب.' }),
  closed: () => ({ en: 'The team does not work at this time.', ar: 'لا يعمل الفريق في هذا الوقت.' }),
  unknown: () => ({ en: 'What you chose does not exist.', ar: 'ما اخترته غير موجود.' }),
  inactive: () => ({ en: 'This person’s account is deactivated.', ar: 'حساب هذا الشخص معطّل.' }),
  kindFixed: () => ({
    en: 'This key belonged to a field of another kind; choose another key.',
    ar: 'كان هذا المفتاح لحقل من نوع آخر؛ اختر مفتاحًا غيره.',
  }),
  when: () => ({
    en: 'This condition must read a field further up, of a kind and with options that it fits.',
    ar: 'يجب أن يستند هذا الشرط إلى حقل سابق يناسبه نوعه وخياراته.',
  }),
} as const
