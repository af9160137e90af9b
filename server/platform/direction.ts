/** The reading direction of a text that is shown among texts of a language. */
import type { Language } from './tables.ts'

const STRONG = /\p{L}/u
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
/** The direction of the first letter of the text, or of the language if the text has no letter. */
export function directionOf(text: string, language: Language) {
  const letter = STRONG.exec(text)?.[0]
  const isRightToLeft = letter ? RIGHT_TO_LEFT.test(letter) : language === 'ar'
  return isRightToLeft ? 'rtl' : 'ltr'
}
const directionOfPage = (language: Language) => (language === 'ar' ? 'rtl' : 'ltr')

const [ISOLATE, END_ISOLATE] = ['\u2068', '\u2069']
/** Isolates a part of a line, so that it does not reorder the text around it. */
export const isolated = (text: string, language: Language) =>
  directionOf(text, language) === directionOfPage(language) ? text : ISOLATE + text + END_ISOLATE
