import { texts } from '../platform/language.ts'

const ar = {
  notFound: 'لا صفحة في هذا العنوان',
  notFoundHint: 'ربما نُقلت أو حُذفت، أو في العنوان خطأ.',
  notAllowed: 'هذه الصفحة ليست ضمن صلاحياتك',
  notAllowedHint: 'إن كنت تحتاج إليها في عملك فاطلبها من مدير البوابة.',
}

const en: typeof ar = {
  notFound: 'Page not found',
  notFoundHint: 'It may have been moved or deleted, or the address may be mistyped.',
  notAllowed: 'You don’t have access to this page',
  notAllowedHint: 'If you need it for work, ask your administrator.',
}

export const both = { ar, en }

export const t = texts(both)
