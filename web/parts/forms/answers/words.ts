/** The texts of fields, options and answers in a given language. */
import { exactly, longDay } from '../../../platform/dates.ts'
import { formatNumber, isolated, type Language } from '../../../platform/language.ts'
import type { FormField, Named, Option } from './judging.ts'
import { both } from './view-texts.ts'

/** The text in a language, or that of the other language if it is missing. */
export const said = (language: Language, ar: string | null | undefined, en: string | null | undefined) =>
  (language === 'ar' ? ar || en : en || ar) ?? ''

export const labelOf = ({ key, labelAr, labelEn }: FormField, language: Language) => said(language, labelAr, labelEn) || key
export const hintOf = ({ hintAr, hintEn }: FormField, language: Language) => said(language, hintAr, hintEn)
export const unitOf = ({ unitAr, unitEn }: FormField, language: Language) => said(language, unitAr, unitEn)
export const optionText = ({ key, ar, en }: Option, language: Language) => said(language, ar, en) || key

function optionIn({ options = [] }: FormField, key: string, language: Language) {
  const option = options.find((one) => one.key === key)
  return isolated(option ? optionText(option, language) : key)
}

/** A stored answer in words; '' if there is none. `field` belongs to the form version that was answered. */
export function answerText(field: FormField, value: unknown, language: Language): string {
  const t = both[language]
  if (value === null || value === undefined) return ''
  switch (field.kind) {
    case 'number': {
      const unit = unitOf(field, language)
      const number = typeof value === 'number' ? formatNumber(value, { maximumFractionDigits: 4 }) : String(value)
      return unit ? `${number} ${isolated(unit)}` : number
    }
    case 'choice':
      return optionIn(field, String(value), language)
    case 'choices':
      return (value as string[]).map((key) => optionIn(field, key, language)).join(t.comma)
    case 'items':
      return Object.entries(value as Record<string, number>)
        .map(([key, count]) => t.times(count, optionIn(field, key, language)))
        .join(t.comma)
    case 'yes_no':
      return value ? t.yes : t.no
    case 'date':
      return longDay(value as string, 'UTC')
    case 'person':
      return said(language, (value as Named).nameAr, (value as Named).nameEn)
    case 'wanted_at':
      return typeof value === 'string' ? exactly(value) : ''
    case 'files':
      return formatNumber((value as string[]).length)
    default:
      return String(value)
  }
}
