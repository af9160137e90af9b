/** Bodies of the media type `application/x-www-form-urlencoded`. */
import { Refusal, refuseField } from '../errors/refusal.ts'
import { isStorable } from '../text.ts'
import type { Bounds } from './body-bounds.ts'

/** The bounds of every form, at all endpoints. */
export const FORM_BOUNDS: Bounds = { bytes: 16 * 1024, values: 20 }

const AMPERSAND = 0x26
/** V8 takes two bytes for a character that is not Latin, and some more for each name and value. */
const [BYTES_PER_BYTE, BYTES_OF_FIELD] = [2, 128]

/**
 * Estimates the memory that a parsed form takes, piece by piece, as `openScale` does for JSON. `add` refuses more than `mostFields` fields.
 */
export function openFormScale(mostFields: number) {
  let bytes = 0
  let fields = 1
  return {
    add(piece: Uint8Array) {
      bytes += piece.length
      for (const byte of piece) if (byte === AMPERSAND && ++fields > mostFields) refuseField('', 'maxValues', { limit: mostFields })
    },
    weight: () => bytes * BYTES_PER_BYTE + fields * BYTES_OF_FIELD,
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
const decode = (text: string) => decodeURIComponent(text.replaceAll('+', ' '))

/** Parses a form into texts; undefined for an empty one. Refuses malformed escapes, invalid UTF-8, NUL, and a field given twice. */
export function parseForm(body: Buffer): unknown {
  if (body.length === 0) return undefined
  const fields: Record<string, string> = Object.create(null)
  try {
    for (const part of utf8.decode(body).split('&').filter(Boolean)) {
      const [name, value] = part.split(/=(.*)/s).map(decode) as [string, string | undefined]
      if (!isStorable(name) || !isStorable(value ?? '')) refuseField(name, 'storable')
      if (name in fields) refuseField(name, 'uniqueItems')
      fields[name] = value ?? ''
    }
  } catch (error) {
    if (error instanceof Refusal) throw error
    refuseField('', 'storable')
  }
  return fields
}
