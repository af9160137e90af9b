import { countedAr, countedEn, texts } from '../../../platform/language.ts'

const ar = {
  comma: '، ',
  alsoHere: (name: string) => `${name} هنا أيضًا`,
  alsoEditing: (name: string) => `${name} هنا أيضًا، مع تغييرات لم تُحفظ.`,
  othersHere: countedAr({
    zero: '',
    one: 'شخص آخر هنا أيضًا',
    two: 'شخصان آخران هنا أيضًا',
    few: '# آخرون هنا أيضًا',
    many: '# آخرون هنا أيضًا',
    other: '# آخرون هنا أيضًا',
  }),
  changedBy: (name: string, ago: string) => `تغيّرت هذه البيانات ${ago}، والتغيير من ${name}.`,
  show: 'أظهر التغيير',
}

const en: typeof ar = {
  comma: ', ',
  alsoHere: (name) => `${name} is here too`,
  alsoEditing: (name) => `${name} is here too, with changes that aren’t saved yet.`,
  othersHere: countedEn({ one: '# other is here too', other: '# others are here too' }),
  changedBy: (name, ago) => `${name} changed this record ${ago === 'now' ? 'just now' : ago}.`,
  show: 'Show the change',
}

export const both = { ar, en }
export const t = texts(both)
