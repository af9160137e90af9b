import { texts } from '../../../../platform/language.ts'

const ar = {
  title: 'دور جديد',
  key: 'المفتاح',
  keyHint: 'حروف لاتينية وأرقام ونقطة وشرطة وشرطة سفلية، ويبدأ بحرف.',
  nameAr: 'الاسم الذي يراه الناس، بالعربية',
  nameEn: 'الاسم الذي يراه الناس، بالإنجليزية',
  create: 'أنشئ الدور',
  created: (name: string) => `أُنشئ الدور ${name}.`,
  cancel: 'إلغاء',
}

const en: typeof ar = {
  title: 'New role',
  key: 'Key',
  keyHint: 'Latin letters, digits, dots, dashes and underscores, beginning with a letter.',
  nameAr: 'The name people read, in Arabic',
  nameEn: 'The name people read, in English',
  create: 'Create the role',
  created: (name) => `The role ${name} was created`,
  cancel: 'Cancel',
}

export const both = { ar, en }
export const t = texts(both)
