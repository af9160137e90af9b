import { folded } from '../platform/folded.ts'

/** Where a text has what was typed, compared as searches compare: from and to, or undefined. */
export function placeOf(text: string, typed: string): [from: number, to: number] | undefined {
  const wanted = folded(typed).trim()
  if (!wanted) return undefined
  // Folding may take letters away, or make several of one: each folded letter remembers whence it came.
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
