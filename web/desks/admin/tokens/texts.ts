import { countedAr, countedEn, texts } from '../../../platform/language.ts'

const ar = {
  title: 'رموز البرامج',
  purpose: 'بهذه الرموز تدخل البرامج باسم أصحابها. ما ينتهي قريبًا يأتي أولًا.',
  soon: countedAr({
    zero: 'لا رمز ينتهي خلال 14 يومًا.',
    one: 'رمز واحد ينتهي خلال 14 يومًا.',
    two: 'رمزان ينتهيان خلال 14 يومًا.',
    few: '# رموز تنتهي خلال 14 يومًا.',
    many: '# رمزًا ينتهي خلال 14 يومًا.',
    other: '# رمز ينتهي خلال 14 يومًا.',
  }),
  ends: 'النهاية',
  everyEnd: 'كل النهايات',
  within: countedAr({ zero: '', one: 'خلال يوم', two: 'خلال يومين', few: 'خلال # أيام', many: 'خلال # يومًا', other: 'خلال # يوم' }),
  owner: 'صاحب الرمز',
  everyone: 'كل أصحاب الرموز',
  heads: { token: 'الرمز', owner: 'صاحبه', used: 'آخر استخدام', ends: 'ينتهي' },
  service: 'حساب خدمة',
  acts: (name: string) => `إجراءات الرمز ${name}`,
  endTitle: (name: string) => `إبطال الرمز ${name}`,
  failed: 'تعذّر تحميل الرموز.',
  none: 'لا رموز بعد',
  noneHint: 'ينشئ الناس رموزهم من صفحة الأمان، وتُنشأ رموز البرامج من حسابات الخدمة.',
  toAccounts: 'إلى حسابات الخدمة',
  nothing: 'لا رموز بهذه المرشحات.',
}

const en: typeof ar = {
  title: 'API tokens',
  purpose: 'With these, programs act in the name of their owners. Those that end soon come first.',
  soon: countedEn({
    zero: 'No token ends within 14 days.',
    one: '# token ends within 14 days.',
    other: '# tokens end within 14 days.',
  }),
  ends: 'End',
  everyEnd: 'Any end',
  within: countedEn({ one: 'Within # day', other: 'Within # days' }),
  owner: 'Owner',
  everyone: 'All owners',
  heads: { token: 'Token', owner: 'Owner', used: 'Last use', ends: 'Ends' },
  service: 'Service account',
  acts: (name) => `Actions for the token ${name}`,
  endTitle: (name) => `Revoke the token ${name}`,
  failed: 'The tokens couldn’t be loaded.',
  none: 'No tokens yet',
  noneHint: 'People make tokens on their security page; those of programs are made on their service accounts.',
  toAccounts: 'To the service accounts',
  nothing: 'No tokens match these filters.',
}

export const both = { ar, en }
export const t = texts(both)
