/** The texts of a page in one language. */
import { workingDay } from '../organisation/calendar.ts'
import type { Both, Language, State, Text } from './contents/content.ts'
import { type Html, html } from './html.ts'

const locales = { ar: 'ar-SA-u-ca-gregory-nu-latn', en: 'en-GB' }

export const isBoth = (text: Text): text is Both => Array.isArray(text)
export const isState = (cell: Text | State): cell is State => typeof cell === 'object' && 'is' in cell

/** Formats texts in one language. */
export function writerIn(language: Language) {
  const format = (options: Intl.DateTimeFormatOptions, at: Date) => new Intl.DateTimeFormat(locales[language], options).format(at)
  const both = ([ar, en]: Both) => (language === 'ar' ? ar : en)
  const dayOf = (offset: number) => new Date(`${workingDay(offset)}T12:00`)
  const now = new Date()
  const after = (prefix: Both | undefined, text: string) => (prefix ? `${both(prefix)} ${text}` : text)

  function say(text: Text): string {
    if (typeof text === 'string') return text
    if (isBoth(text)) return both(text)
    if ('day' in text) return after(text.prefix, format({ weekday: 'long', day: 'numeric', month: 'long' }, dayOf(text.day)))
    if ('month' in text) {
      const first = new Date(now.getFullYear(), now.getMonth() + text.month, 1)
      return after(text.prefix, format({ month: 'long', year: 'numeric' }, first))
    }
    return new Intl.NumberFormat(locales[language], { style: 'currency', currency: 'SAR', maximumFractionDigits: 0 }).format(text.riyals)
  }

  return {
    language,
    both,
    say,
    weekday: (day: number) => format({ weekday: 'long' }, dayOf(day)),
    date: (day: number) => format({ day: 'numeric', month: 'long' }, dayOf(day)),
    /** A text that is the same in both languages is isolated with its own direction. */
    text: (text: Text): Html => (typeof text === 'string' ? html`<bdi>${text}</bdi>` : html`<span>${say(text)}</span>`),
  }
}
export type Writer = ReturnType<typeof writerIn>
