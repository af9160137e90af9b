/** Chooses and orders the findings that the palette shows. */
import { folded } from '../platform/folded.ts'
import { type Finding, type Group, groups } from './palette.ts'

const IN_GROUP = 6
const RECENT = 5

/**
 * How well a finding fits the typed text: 0 if its `text` or one of its `words` begins with the typed text, 1 if a later word in them does,
 * 2 if they contain it elsewhere, otherwise -1.
 */
export function fit({ text, words = [] }: Pick<Finding, 'text' | 'words'>, typed: string) {
  const all = [text, ...words].filter((one) => typeof one === 'string').map(folded)
  if (all.some((one) => one.startsWith(typed))) return 0
  if (all.some((one) => one.includes(` ${typed}`))) return 1
  return all.some((one) => one.includes(typed)) ? 2 : -1
}

export interface Shelf {
  name: Group | 'recent'
  findings: Finding[]
}

/** Recently opened findings that still exist, then the rest by groups. */
function untyped(all: Finding[], recent: readonly string[]): Shelf[] {
  const lately = recent.flatMap((id) => all.find((one) => one.id === id) ?? []).slice(0, RECENT)
  const rest = all.filter((one) => !one.isTyped && !lately.includes(one))
  return [
    { name: 'recent', findings: lately },
    ...groups.map((name) => ({ name, findings: rest.filter(({ group }) => group === name).slice(0, 2 * IN_GROUP) })),
  ]
}

/** The findings by groups: the best fits first, closed records last. */
function typedShelves(all: Finding[], typed: string, isExact: (one: Finding) => boolean): Shelf[] {
  const fits = new Map(all.map((one) => [one, isExact(one) ? Math.max(0, fit(one, typed)) : fit(one, typed)]))
  const best = ({ name, findings }: Shelf) => (name === 'past' ? 9 : fits.get(findings[0]!)!)
  return groups
    .map((name) => ({
      name,
      findings: all
        .filter((one) => one.group === name && fits.get(one)! >= 0)
        .toSorted((one, other) => fits.get(one)! - fits.get(other)!)
        .slice(0, IN_GROUP),
    }))
    .filter(({ findings }) => findings.length > 0)
    .toSorted((one, other) => best(one) - best(other))
}

export const shelve = (all: Finding[], typed: string, recent: readonly string[], isExact: (one: Finding) => boolean): Shelf[] =>
  (typed ? typedShelves(all, typed, isExact) : untyped(all, recent)).filter(({ findings }) => findings.length > 0)
