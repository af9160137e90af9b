/** Estimates the memory of a JSON text from its bytes as they arrive, before it is parsed. */
import { refuseField } from '../errors/refusal.ts'

export const MOST_LEVELS = 16

/**
 * The bytes of V8's heap for each value, and in addition for each object or list and for each name. Measured with the forms that take most,
 * such as objects that each have a unique name.
 */
const BYTES_OF = { value: 24, container: 128, name: 64 }

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a]
const [BRACKET, BRACE] = [0x5b, 0x7b]
/** The code of a closing bracket is that of its opening bracket plus two. */
const [END_BRACKET, END_BRACE] = [0x5d, 0x7d]

const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/**
 * Weighs a JSON text piece by piece. `add` refuses more than 16 levels, and more than `mostValues`; `weight` returns the bytes of memory
 * that the parsed values will take. In a text that is not JSON, it counts at least the part that a parser reads before it fails.
 */
export function openScale(mostValues: number) {
  const state = {
    level: 0,
    values: 1,
    containers: 0,
    names: 0,
    isInText: false,
    /** The opening bracket, if nothing but spaces has followed it yet. */
    opened: 0,
  }
  /** The index at which reading goes on in the next piece: 1 if the backslash at the end of a piece escapes the next byte. */
  let start = 0
  return {
    add(piece: Uint8Array) {
      // Local variables, because those of a closure make the loop four times as slow.
      let { level, values, containers, names, isInText, opened } = state
      let at = start
      for (; at < piece.length; at++) {
        if (isInText) {
          while (at < piece.length && piece[at] !== QUOTE) at += piece[at] === BACKSLASH ? 2 : 1
          if (at >= piece.length) break
          isInText = false
          continue
        }
        const byte = piece[at]!
        if (isSpace(byte)) continue
        if (opened !== 0 && byte !== opened + 2) values++
        opened = 0
        if (byte === QUOTE) isInText = true
        else if (byte === BRACKET || byte === BRACE) {
          if (++level > MOST_LEVELS) refuseField('', 'maxDepth', { limit: MOST_LEVELS })
          containers++
          opened = byte
        } else if (byte === END_BRACKET || byte === END_BRACE) level--
        else if (byte === COMMA) values++
        else if (byte === COLON) names++
        if (values > mostValues) refuseField('', 'maxValues', { limit: mostValues })
      }
      Object.assign(state, { level, values, containers, names, isInText, opened })
      start = at - piece.length
    },
    weight: () => state.values * BYTES_OF.value + state.containers * BYTES_OF.container + state.names * BYTES_OF.name,
  }
}
