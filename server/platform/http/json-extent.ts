/** Estimates the memory of a JSON text, in one pass over its bytes, before it is parsed. */
import { refuseField } from '../errors/refusal.ts'

export const MOST_LEVELS = 16

/**
 * The bytes of V8's heap for each value, and in addition for each object or list and for each name. Measured with the forms that take most,
 * such as objects that each have a unique name.
 */
const BYTES_OF = { value: 24, container: 128, name: 64 }

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [BRACKET, BRACE] = [0x5b, 0x7b]
/** The code of either is two more than that of its opening bracket. */
const [END_BRACKET, END_BRACE] = [0x5d, 0x7d]

const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/**
 * The bytes of memory that the parsed values will take. Refuses more than 16 levels, and more than `mostValues`. In a text that is not
 * JSON, it counts at least the part that a parser reads before it fails.
 */
export function weighJson(bytes: Uint8Array, mostValues: number): number {
  let level = 0
  let values = 1
  let containers = 0
  let names = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      at++
      while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
    } else if (byte === BRACKET || byte === BRACE) {
      if (++level > MOST_LEVELS) refuseField('', 'maxDepth', { limit: MOST_LEVELS })
      containers++
      while (at + 1 < bytes.length && isSpace(bytes[at + 1]!)) at++
      if (bytes[at + 1] !== byte + 2) values++
    } else if (byte === END_BRACKET || byte === END_BRACE) level--
    else if (byte === COMMA) values++
    else if (byte === COLON) names++
    if (values > mostValues) refuseField('', 'maxValues', { limit: mostValues })
  }
  return values * BYTES_OF.value + containers * BYTES_OF.container + names * BYTES_OF.name
}
