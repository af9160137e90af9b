import { texts } from '../../platform/language.ts'

const ar = {
  show: 'أظهر كلمة المرور',
  hide: 'أخفِ كلمة المرور',
}

const en: typeof ar = {
  show: 'Show password',
  hide: 'Hide password',
}

export const both = { ar, en }
export const t = texts(both)
