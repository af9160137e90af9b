import { texts } from '../../platform/language.ts'

const ar = {
  title: (service: string) => `إلغاء طلب «${service}»؟`,
  reason: 'سبب الإلغاء',
  hint: 'يقرؤه صاحب الطلب.',
  missing: 'اكتب السبب أولًا.',
  yes: 'ألغِ الطلب',
  no: 'رجوع',
}

const en: typeof ar = {
  title: (service) => `Cancel this ${service} order?`,
  reason: 'Why is it cancelled?',
  hint: 'The person who ordered reads it.',
  missing: 'Write the reason first.',
  yes: 'Cancel order',
  no: 'Back',
}

export const both = { ar, en }
export const t = texts(both)
