import { folded } from '../../platform/folded.ts'

/** The position of the typed text within a text, compared as in searches: start and end, or undefined. */
export function placeOf(text: string, typed: string): [from: number, to: number] | undefined {
  const wanted = folded(typed).trim()
  if (!wanted) return undefined
  // Folding may remove a letter or turn it into several, so each folded letter remembers its original position.
  const origins: number[] = []
  let all = ''
  let at = 0
  for (const letter of text) {
    for (const one of folded(letter)) {
      origins.push(...Array.from({ length: one.length }, () => at))
      all += one
    }
    at += letter.length
  }
  const start = all.indexOf(wanted)
  if (start < 0) return undefined
  const after = origins[start + wanted.length]
  return [origins[start]!, after ?? text.length]
}
