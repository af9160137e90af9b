import { texts } from '../../platform/language.ts'

const ar = {
  missing: 'لا بدّ من هذا الحقل.',
  email: 'اكتب البريد الإلكتروني كاملًا، مثل name@example.com.',
  url: 'اكتب العنوان كاملًا، مثل https://example.com.',
  wrong: 'راجع ما كتبته هنا.',
}

const en: typeof ar = {
  missing: 'This field is required.',
  email: 'Enter a full email address, such as name@example.com.',
  url: 'Enter a full address, such as https://example.com.',
  wrong: 'Check what you entered here.',
}

export const both = { ar, en }
export const t = texts(both)
