import { texts } from '../../platform/language.ts'

const ar = {
  find: 'ابحث عن أيقونة: سفر، مال، اجتماع…',
  nothing: 'لا أيقونة بهذه الكلمة. جرّب كلمة أعمّ.',
}

const en: typeof ar = {
  find: 'Find an icon: travel, money, meeting…',
  nothing: 'No icon by that word. Try a more general one.',
}

export const both = { ar, en }
export const t = texts(both)
