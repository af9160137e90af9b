/** Codes of authenticator apps (RFC 6238). The library is loaded with the first code. */
import { timingSafeEqual } from 'node:crypto'
import { lazily } from '../../platform/lazily.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import { readCode, SECRET_BYTES, STEP_SECONDS, stepsAround } from './rules.ts'

const library = lazily(() => import('otpauth'))

/** A new secret, in base 32 without padding. */
export async function newSecret() {
  const { Secret } = await library.get()
  return new Secret({ size: SECRET_BYTES }).base32
}

const isSameCode = (one: string, other: string) => one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

/**
 * The time step of a valid code; undefined for other codes. Codes of the step `lastStep`, which was used last, and of earlier steps are not
 * valid.
 */
export async function stepOf(secret: string, typed: string, lastStep: number | null, now = Date.now()) {
  const { Secret, TOTP } = await library.get()
  const totp = new TOTP({ secret: Secret.fromBase32(secret), algorithm: 'SHA1', digits: 6, period: STEP_SECONDS })
  // Non-ASCII digits would change the length in bytes.
  const code = readCode(typed)
  if (!/^\d{6}$/.test(code)) return undefined
  return stepsAround(now, lastStep).find((step) => isSameCode(totp.generate({ timestamp: step * STEP_SECONDS * 1000 }), code))
}

/** Whether this is the last used code, sent again. */
export const isUsedAgain = async (secret: string, typed: string, lastStep: number | null) =>
  lastStep !== null && (await stepOf(secret, typed, lastStep - 1)) === lastStep

export const secretPlace = (userId: number) => ({ table: 'totp', column: 'secret', row: userId })
export const readSecret = (secrets: Secrets, userId: number, secret: Buffer) => secrets.decrypt(secretPlace(userId), secret)
