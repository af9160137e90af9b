/** The portal's languages, by the tags with which other systems name the languages of people. */
import type { Language } from './tables.ts'

const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' })
function nameOf(language: string) {
  try {
    return names.of(language)
  } catch {
    return undefined
  }
}

/**
 * The language in which the portal speaks to somebody whose language has this tag, such as `ar-SA` or `en_US`: Arabic for each kind of Arabic,
 * English for every other language; undefined for an unknown one.
 */
export function languageIn(tag = ''): Language | undefined {
  const [language = ''] = tag
    .trim()
    .toLowerCase()
    .split(/[-_,;]/)
  const name = nameOf(language)
  return name === undefined ? undefined : /\bArabic\b/.test(name) ? 'ar' : 'en'
}
