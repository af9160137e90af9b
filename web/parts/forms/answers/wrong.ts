import type { Language } from '../../../platform/language.ts'
import type { FormField } from './judging.ts'
import { both } from './texts.ts'

/** A rule that an answer breaks, with its limit. */
export interface Broken {
  rule: string
  limit?: number | undefined
}

/** A sentence that says why an answer is wrong. */
export function wrongText(field: FormField, { rule, limit = 0 }: Broken, language: Language): string {
  const words = both[language].wrong
  if (rule === 'required' && field.mustBeYes) return words.consent
  if (rule === 'kind' && field.kind === 'number') return words.number
  if (rule === 'kind' && field.kind === 'wanted_at') return words.moment
  if (rule === 'decimals' && limit === 0) return words.whole
  if (rule === 'pattern') return field.pattern === undefined || field.pattern === 'any' ? words.marks : words[field.pattern]
  const text = Object.hasOwn(words, rule) ? words[rule as keyof typeof words] : words.kind
  return typeof text === 'string' ? text : text(limit)
}
