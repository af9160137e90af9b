/** Applies the answers to a line's open questions, and finds the colleagues that its names mean. Pure. */
import { folded } from '../../../../platform/folded.ts'
import type { Fields, Reading, Unsure } from '../../shared/one-line/reading.ts'

export interface Colleague {
  id: number
  username: string
  displayNameAr: string | null
  displayNameEn: string | null
}

/** The key of a question. It stays the same until the words in question change. */
export const keyOf = ({ reason, span: [from, to] }: Unsure, line: string) => `${reason}:${line.slice(from, to)}`

/** The fields with the answers applied, and the questions that are still open. */
export function settled(reading: Reading, line: string, answers: ReadonlyMap<string, Partial<Fields>>) {
  const { chips: _, unsure, ...fields } = reading
  const given = unsure.flatMap((one) => answers.get(keyOf(one, line)) ?? [])
  return {
    fields: Object.assign({}, fields, ...given) as Fields,
    open: unsure.filter((one) => !answers.has(keyOf(one, line))),
  }
}

/** The colleague that a name means: the only one found, or the only one with exactly that name. */
export function meantBy<C extends Colleague>(name: string, found: readonly C[]): C | 'several' | undefined {
  if (found.length < 2) return found[0]
  const exact = found.filter((one) =>
    [one.displayNameAr, one.displayNameEn, one.username].some((own) => own && folded(own) === folded(name)),
  )
  return exact.length === 1 ? exact[0] : 'several'
}

const isArabic = (text: string) => /[\u0600-\u06FF]/.test(text)
/** The Arabic and English halves of a text: the half in the language of its letters contains the text, and the other is ''. */
export const halves = (text: string | null) => (text ? (isArabic(text) ? { ar: text, en: '' } : { ar: '', en: text }) : { ar: '', en: '' })

/** Matches the word that introduces a person or a place, such as “with”, at the end of the text before the name. */
const beginning = /(?:(?:^|\s)(?:with|w\/?|attended by|in|at|and|(?:مع|بحضور)(?: كل من)?|في|\p{L}+:)\s+|(?:^|\s)و)$/iu

/** The line with one part, and the word that introduces the part, in quotation marks. A quoted part is read literally. */
export function quoted(line: string, [from, to]: readonly [number, number]) {
  const [before = ''] = beginning.exec(line.slice(0, from)) ?? []
  const start = from - before.trimStart().length
  return `${line.slice(0, start)}"${line.slice(start, to)}"${line.slice(to)}`
}
