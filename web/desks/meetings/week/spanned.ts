import { locale } from '../../../platform/language.ts'
import { t } from './texts.ts'

/** A span of days in words: "6–12 December 2026", "29 November – 5 December 2026"; in Arabic with words instead of the dash. */
export function spanned(first: string, last: string, calendar?: 'islamic-umalqura') {
  const format = new Intl.DateTimeFormat(locale(calendar), { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' })
  const parts = format.formatRangeToParts(new Date(first), new Date(last))
  const isWithinMonth = parts.every(({ source, type }) => source !== 'startRange' || type === 'day')
  const isDash = ({ type, source, value }: (typeof parts)[number]) => type === 'literal' && source === 'shared' && /[–-]/.test(value)
  return t.from + parts.map((part) => (isDash(part) ? t.to(isWithinMonth) : part.value)).join('')
}
