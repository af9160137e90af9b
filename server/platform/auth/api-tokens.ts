/** The text of API tokens: a prefix for the kind of owner, 36 random characters, and a checksum by which scanners recognise it offline. */
import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const SECRET_LENGTH = 36
const CHECKSUM_LENGTH = 6

/** The prefixes of tokens: a person's, a service account's, a source's. */
const prefixes = { personal: 'bwp_', service: 'bws_', source: 'bwi_' } as const
export type TokenKind = keyof typeof prefixes
const kinds = new Map(Object.entries(prefixes).map(([kind, prefix]) => [prefix as string, kind as TokenKind]))
const PREFIX_LENGTH = prefixes.personal.length

const digitAt = (place: number) => DIGITS.charAt(place)

/** The CRC-32 of a text, as six digits in base 62, the highest first. */
function checksumOf(text: string) {
  let digits = ''
  for (let rest = crc32(text); digits.length < CHECKSUM_LENGTH; rest = Math.floor(rest / DIGITS.length))
    digits = digitAt(rest % DIGITS.length) + digits
  return digits
}

/** A new token with 214 random bits. Only its hash is stored. */
export function newApiToken(kind: TokenKind) {
  const secret = Array.from({ length: SECRET_LENGTH }, () => digitAt(randomInt(DIGITS.length))).join('')
  const text = prefixes[kind] + secret
  return text + checksumOf(text)
}

const FORM = /^bw[psi]_[0-9A-Za-z]{42}$/

/** The kind of a token; undefined if it is malformed, so that no query is needed. */
export function kindOfToken(text: string) {
  if (!FORM.test(text) || checksumOf(text.slice(0, -CHECKSUM_LENGTH)) !== text.slice(-CHECKSUM_LENGTH)) return undefined
  return kinds.get(text.slice(0, PREFIX_LENGTH))
}

/** The part of a token that lists show. */
export const lastFourOf = (text: string) => text.slice(-4)

/** The token in an `Authorization` header: empty if `Bearer` stands alone, undefined if the header has no `Bearer`. */
export function bearerIn(authorization: string | undefined) {
  const found = /^bearer(?: +(.*))?$/i.exec(authorization ?? '')
  return found ? (found[1] ?? '') : undefined
}
