/** What the line says, with the answers to what it left open and the colleagues whom its names mean. Pure. */
import { folded } from '../../../platform/folded.ts'
import type { Fields, Reading, Unsure } from '../../shared/one-line/reading.ts'

export interface Colleague {
  id: number
  username: string
  displayNameAr: string | null
  displayNameEn: string | null
}

/** The question of a line, the same as long as its words are. */
export const keyOf = ({ reason, span: [from, to] }: Unsure, line: string) => `${reason}:${line.slice(from, to)}`

/** The fields with what was answered, and the questions that are open. */
export function settled(reading: Reading, line: string, answers: ReadonlyMap<string, Partial<Fields>>) {
  const { chips: _, unsure, ...fields } = reading
  const given = unsure.flatMap((one) => answers.get(keyOf(one, line)) ?? [])
  return {
    fields: Object.assign({}, fields, ...given) as Fields,
    open: unsure.filter((one) => !answers.has(keyOf(one, line))),
  }
}

/** Whom a name means among the colleagues who were found for it: the only one, or the only one who is called exactly so. */
export function meantBy<C extends Colleague>(name: string, found: readonly C[]): C | 'several' | undefined {
  if (found.length < 2) return found[0]
  const exact = found.filter((one) =>
    [one.displayNameAr, one.displayNameEn, one.username].some((own) => own && folded(own) === folded(name)),
  )
  return exact.length === 1 ? exact[0] : 'several'
}

const isArabic = (text: string) => /[\u0600-\u06FF]/.test(text)
/** A text as the half of a pair that its letters are of. */
export const halves = (text: string | null) => (text ? (isArabic(text) ? { ar: text, en: '' } : { ar: '', en: text }) : { ar: '', en: '' })

/** What begins a person or a place, before it. */
const beginning = /(?:(?:^|\s)(?:with|w\/?|attended by|in|at|and|(?:مع|بحضور)(?: كل من)?|في|\p{L}+:)\s+|(?:^|\s)و)$/iu

/** The line with a part of it quoted, together with the word that began it: it is read as it stands. */
export function quoted(line: string, [from, to]: readonly [number, number]) {
  const [before = ''] = beginning.exec(line.slice(0, from)) ?? []
  const start = from - before.trimStart().length
  return `${line.slice(0, start)}"${line.slice(start, to)}"${line.slice(to)}`
}
