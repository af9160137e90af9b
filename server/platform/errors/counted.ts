/** Numbers, and numbers of things, in the sentences of both languages. */
import type { Sentence } from './forms.ts'

const numbers = { en: new Intl.NumberFormat('en'), ar: new Intl.NumberFormat('ar-u-nu-latn') }
export const numberOf = (value: number): Sentence => ({ en: numbers.en.format(value), ar: numbers.ar.format(value) })

type Forms = Record<'one' | 'two' | 'few' | 'many' | 'other', string>
/** Counted nouns in Arabic. Their accusative and genitive are alike, except for `one`. */
const nouns = {
  character: { one: 'حرفًا واحدًا', two: 'حرفين', few: 'أحرف', many: 'حرفًا', other: 'حرف' },
  item: { one: 'عنصرًا واحدًا', two: 'عنصرين', few: 'عناصر', many: 'عنصرًا', other: 'عنصر' },
  'decimal place': {
    one: 'منزلة عشرية واحدة',
    two: 'منزلتين عشريتين',
    few: 'منازل عشرية',
    many: 'منزلة عشرية',
    other: 'منزلة عشرية',
  },
  day: { one: 'يوم واحد', two: 'يومين', few: 'أيام', many: 'يومًا', other: 'يوم' },
} as const satisfies Record<string, Forms>
const plurals = { en: new Intl.PluralRules('en'), ar: new Intl.PluralRules('ar') }

/** A number of things: “1 character”, “6 أحرف”. */
export function counted(count: number, noun: keyof typeof nouns): Sentence {
  const { en, ar } = numberOf(count)
  const form = plurals.ar.select(count)
  const word = nouns[noun][form === 'zero' ? 'other' : form]
  return {
    en: `${en} ${noun}${plurals.en.select(count) === 'one' ? '' : 's'}`,
    ar: form === 'one' || form === 'two' ? word : `${ar} ${word}`,
  }
}
