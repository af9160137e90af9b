/** Rules about factors: codes, challenges, limits. */
import { hash, randomBytes } from 'node:crypto'
import { type Limit, networkOf } from '../../platform/auth/limits.ts'

export const MOST_PASSKEYS = 20
export const factorKinds = ['passkey', 'totp'] as const
export type FactorKind = (typeof factorKinds)[number]

/** The ways in which a browser can reach a passkey. */
export const knownTransports = ['internal', 'hybrid', 'usb', 'nfc', 'ble', 'smart-card']

/** A factor; a passkey with its name. */
export interface NamedFactor {
  factor: FactorKind
  name?: string
}
/** The name of a factor in a notice. */
const namesOf = ({ factor, name }: NamedFactor) => ({
  ar: { factor: factor === 'totp' ? 'تطبيق المصادقة' : `مفتاح المرور «${name}»` },
  en: { factor: factor === 'totp' ? 'An authenticator app' : `The passkey “${name}”` },
})
/** Notices about a person’s factors. People get them even for their own acts, because a thief may have acted in their name. */
export const factorNotices = {
  'factor.added': (facts: NamedFactor) => ({ template: 'factor_added', params: namesOf(facts) }) as const,
  'factor.removed': (facts: NamedFactor) => ({ template: 'factor_removed', params: namesOf(facts) }) as const,
  'factors.reset': () => ({ template: 'factors_reset', params: { ar: {}, en: {} } }) as const,
  'recovery_code.used': ({ left }: { left: number }) => {
    const params = { left: String(left) }
    return { template: 'recovery_code_used', params: { ar: params, en: params } } as const
  },
}

/** The purposes of challenges. A challenge for one purpose is not accepted for another. */
export const purposes = ['sign_in', 'second_factor', 'confirm', 'link'] as const
export type Purpose = (typeof purposes)[number]

// TOTP, with the values that every app supports.
export const STEP_SECONDS = 30
export const SECRET_BYTES = 20
/** How many steps a code may be early or late. */
const WINDOW = 1

/** The time steps whose codes are accepted: those around the present one, after the last used one. */
export function stepsAround(now: number, lastStep: number | null) {
  const present = Math.floor(now / 1000 / STEP_SECONDS)
  const steps = Array.from({ length: 2 * WINDOW + 1 }, (_, place) => present - WINDOW + place)
  return steps.filter((step) => step > (lastStep ?? -1))
}

const easternDigits = /[\u0660-\u0669\u06f0-\u06f9]/g
/** A typed code without spaces and invisible marks, and with Arabic and Persian digits as 0 to 9. */
export const readCode = (typed: string) =>
  typed.replace(/[\s\p{Default_Ignorable_Code_Point}]/gu, '').replace(easternDigits, (digit) => String(digit.charCodeAt(0) & 0xf))

/** The address that gives an authenticator app its secret, mostly by a QR code. */
export function totpUri({ site, username, secret }: { site: string; username: string; secret: string }) {
  // A colon separates the two parts of a label.
  const issuer = encodeURIComponent(site.replaceAll(':', ' '))
  const label = `${issuer}:${encodeURIComponent(username)}`
  return `otpauth://totp/${label}?secret=${secret}&issuer=${issuer}&algorithm=SHA1&digits=6&period=${STEP_SECONDS}`
}

const CODES = 10
const CODE_CHARACTERS = 16
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Recovery codes, as people see them: 80 random bits each. */
export const newRecoveryCodes = () =>
  Array.from({ length: CODES }, () =>
    Array.from(randomBytes(CODE_CHARACTERS), (byte) => CROCKFORD[byte % 32])
      .join('')
      .replace(/.{4}(?!$)/g, '$&-'),
  )

/** Hyphens of all kinds, and the minus sign. */
const DASHES = /[\p{Pd}\u2212]/gu

/** The hash of a recovery code, however it is typed. No slow hash is needed: nobody can try 80 bits. */
export function hashRecoveryCode(typed: string) {
  const code = readCode(typed).replace(DASHES, '').toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1')
  return hash('sha256', `recovery code ${code}`, 'base64url')
}

/** Detects a changed password hash without revealing it. */
export const fingerprintOf = (passwordHash: string | null) => hash('sha256', `password ${passwordHash}`, 'base64url')

const wrong = { withinMs: 900_000, counts: 'invalid_factor' } as const

/** Limits the tries of a person's factors. With `isSilent`, an exceeded limit looks like a wrong code. */
export const factorLimit = (userId: number, isSilent?: true): Limit => ({
  rule: { name: 'factor_account', ...wrong, tries: 10, ...(isSilent && { isSilent }) },
  key: String(userId),
})

/** Limits the tries of one sign-in that waits for a factor. */
export const pendingLimit = (id: string): Limit => ({ rule: { name: 'factor_pending', ...wrong, tries: 5, isSilent: true }, key: id })

/** Limits acts on one’s own account that leave permanent rows or call other servers: a hundred an hour for each kind of act. */
export const ownShare = (
  kind: 'recovery_codes' | 'totp' | 'passkey_names' | 'confirmations' | 'tokens' | 'passwords' | 'calendar' | 'pictures',
  userId: number,
): Limit => ({
  rule: { name: `own_${kind}`, tries: 100, withinMs: 3_600_000 },
  key: String(userId),
})

export const passkeyLimit = (address: string): Limit => ({
  rule: { name: 'passkey_address', ...wrong, tries: 100 },
  key: networkOf(address),
})
