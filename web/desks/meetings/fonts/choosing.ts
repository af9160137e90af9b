/** Rules for choosing a font. Pure. */
import { wholeNumber } from '../../../platform/folded.ts'

interface Family {
  family: string
  weights: readonly number[]
}
interface Chosen {
  fontFamily: string
  fontWeight: number
}

interface All extends Chosen {
  fontSize: number
  alignment: string
}

/** Whether two settings are equal; null stands for none. */
export const isSame = (one: All | null, other: All | null) =>
  one === null || other === null
    ? one === other
    : (['fontFamily', 'fontSize', 'fontWeight', 'alignment'] as const).every((field) => one[field] === other[field])

const plain = (name: string) => name.trim().replace(/\s+/g, ' ').toLowerCase()
/** The family for a stored name. Like the portal, it falls back to the first family. */
export function printedIn<F extends Family>(families: readonly F[], name: string) {
  const found = families.find(({ family }) => plain(family) === plain(name))
  return { family: found ?? families[0]!, isKnown: found !== undefined }
}

/** The weight that is nearest to the wanted one; of two equally near weights, the lighter one. */
export const nearest = (weights: readonly number[], wanted: number) =>
  weights.toSorted((one, other) => Math.abs(one - wanted) - Math.abs(other - wanted) || one - other)[0] ?? wanted

/** The settings with another family, in the nearest weight that it has. */
export const withFamily = <C extends Chosen>(chosen: C, { family, weights }: Family): C => ({
  ...chosen,
  fontFamily: family,
  fontWeight: nearest(weights, chosen.fontWeight),
})

export const [SMALLEST, LARGEST] = [8, 48]
/** A typed size as a number; undefined if no sheet can have it. */
export function sizeOf(typed: string) {
  const size = wholeNumber(typed)
  return size !== undefined && size >= SMALLEST && size <= LARGEST ? size : undefined
}
