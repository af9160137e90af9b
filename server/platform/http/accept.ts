/** Which of several media types a client prefers, by its `Accept` header (RFC 9110, 12.5.1). */
import { refuse } from '../errors/refusal.ts'

interface Range {
  type: string
  weight: number
}

function rangesOf(accept: string): Range[] {
  return accept.split(',').flatMap((part) => {
    const [type = '', ...parameters] = part.split(';').map((word) => word.trim().toLowerCase())
    const weight = parameters.map((one) => /^q\s*=\s*([01](?:\.\d*)?)$/.exec(one)?.[1]).find((q) => q !== undefined)
    return type ? [{ type, weight: weight === undefined ? 1 : Number(weight) }] : []
  })
}

/** How narrowly a range names a type; 0 if it does not. */
const narrowness = (range: string, type: string) => (range === type ? 3 : range === `${type.split('/')[0]}/*` ? 2 : range === '*/*' ? 1 : 0)

/**
 * The offered media type that the client weighs highest; of several, the one that it names most narrowly, then the first offered. Without
 * the header, the first offered. Refuses `not_acceptable` if the client takes none of them.
 */
export function acceptedOf<Type extends string>(accept: string | undefined, offered: readonly [Type, ...Type[]]): Type {
  const ranges = rangesOf(accept ?? '')
  if (ranges.length === 0) return offered[0]
  const weighed = offered.map((type) => {
    const [narrowest] = ranges
      .map((range) => ({ ...range, narrow: narrowness(range.type, type) }))
      .filter(({ narrow }) => narrow > 0)
      .toSorted((one, other) => other.narrow - one.narrow)
    return { type, weight: narrowest?.weight ?? 0, narrow: narrowest?.narrow ?? 0 }
  })
  const [best] = weighed.filter(({ weight }) => weight > 0).toSorted((one, other) => other.weight - one.weight || other.narrow - one.narrow)
  return best?.type ?? refuse('not_acceptable', { gives: [...offered] })
}
