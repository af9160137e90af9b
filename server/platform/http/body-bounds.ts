/** How large a body may be, by its shape: as large as a valid one can be. */
import type { TSchema } from 'typebox'
import type { Endpoint } from './endpoint.ts'
import { RAW_UNITS_PER_CHARACTER } from './validate.ts'

export interface Bounds {
  bytes: number
  /** The number of JSON values, including those of unknown fields. */
  values: number
}

const LEAST_BYTES = 16 * 1024
const MOST_BYTES = 1024 * 1024
const LEAST_VALUES = 1000

/** The longest form of a UTF-16 unit is `\uXXXX`. */
const BYTES_PER_UNIT = 6
/** Room for a number as clients write it, or for `true`, `false` or `null`. */
const SCALAR_BYTES = 24
/** The length of a text that is bounded only by its pattern: a date or a time. */
const PATTERN_LENGTH = 16
/** Room for a comma, a line break and an indentation beside a value. */
const BYTES_BETWEEN = 16

interface Shaped {
  type?: string | string[]
  enum?: unknown[]
  maxLength?: number
  maxItems?: number
  maxBytes?: number
  items?: Shaped
  properties?: Record<string, Shaped>
}

const total = (parts: Bounds[]) =>
  parts.reduce((sum, { bytes, values }) => ({ bytes: sum.bytes + bytes, values: sum.values + values }), { bytes: 2, values: 1 })

/** The bounds of the largest value of the shape. */
function largest(shape: Shaped, at: string): Bounds {
  const { items, properties, maxItems, maxLength = PATTERN_LENGTH } = shape
  if (properties)
    return total(
      Object.entries(properties).map(([name, field]) => {
        const { bytes, values } = largest(field, `${at}.${name}`)
        return { bytes: name.length + 3 + BYTES_BETWEEN + bytes, values }
      }),
    )
  if (items) {
    if (maxItems === undefined) throw new Error(`a list without \`maxItems\` in a body: ${at}`)
    const { bytes, values } = largest(items, `${at}[]`)
    return { bytes: 2 + maxItems * (bytes + BYTES_BETWEEN), values: 1 + maxItems * values }
  }
  const types = [shape.type].flat()
  if (types.includes('object') && shape.maxBytes !== undefined)
    return { bytes: shape.maxBytes * BYTES_PER_UNIT, values: Math.ceil(shape.maxBytes / 2) }
  if (types.includes('object')) throw new Error(`an object without \`properties\` in a body: ${at}`)
  const isText = types.includes('string') && !shape.enum
  return { bytes: isText ? maxLength * RAW_UNITS_PER_CHARACTER * BYTES_PER_UNIT + 2 : enumBytes(shape), values: 1 }
}

const enumBytes = ({ enum: values = [] }: Shaped) =>
  Math.max(SCALAR_BYTES, ...values.map((value) => String(value).length * BYTES_PER_UNIT + 2))

export function boundsOf({ at, bodyLimit = MOST_BYTES }: Pick<Endpoint, 'at' | 'bodyLimit'>, body: TSchema): Bounds {
  const { bytes, values } = largest(body as Shaped, at)
  return {
    bytes: Math.min(Math.max(bytes, LEAST_BYTES), bodyLimit),
    values: Math.max(values, LEAST_VALUES),
  }
}
