/** Secrets that the portal must be able to read again, in columns of the type `secret`, encrypted with SECRETS_KEY. */
import type { Config } from '../config.ts'
import { refuse } from '../errors/refusal.ts'
import { decryptWithAny, deriveKey, encrypt } from './cipher.ts'

/** Where a secret is stored. It cannot be decrypted anywhere else, so that nobody can move it to another row. */
export interface Place {
  table: string
  column: string
  /** The primary key of the row. */
  row: number | string
}

type Keys = Pick<Config, 'secretsKey' | 'secretsKeyBefore'>

/** The keys of secrets: the present one, then the former one while secrets are being encrypted again. */
export const keysOf = ({ secretsKey, secretsKeyBefore }: Keys) =>
  [secretsKey, secretsKeyBefore].flatMap((key) => (key === undefined ? [] : Buffer.from(key, 'base64url')))

const purposeOf = ({ table, column }: Place) => `${table}.${column}`
const contextOf = (place: Place) => `${purposeOf(place)}.${place.row}`

/** `encryptAt` encrypts a secret for its place, with one key. `decryptAt` decrypts it with the first of several keys that fits. */
export const encryptAt = (key: Buffer, place: Place, text: string) => encrypt(deriveKey(key, purposeOf(place)), text, contextOf(place))
export const decryptAt = (keys: readonly Buffer[], place: Place, encrypted: Buffer) =>
  decryptWithAny(
    keys.map((key) => deriveKey(key, purposeOf(place))),
    encrypted,
    contextOf(place),
  )

/** `encrypt` and `decrypt` refuse `secrets_not_configured` without a key. */
export function openSecrets(config: Keys) {
  const keys = keysOf(config)
  const [key] = config.secretsKey === undefined ? [] : keys
  return {
    isConfigured: key !== undefined,
    encrypt: (place: Place, text: string) => encryptAt(key ?? refuse('secrets_not_configured'), place, text),
    /** Throws if no key decrypts the bytes, or if they belong to another place. */
    decrypt(place: Place, encrypted: Buffer) {
      if (!key) refuse('secrets_not_configured')
      const text = decryptAt(keys, place, encrypted)
      if (text === undefined) throw new Error(`the secret in ${contextOf(place)} cannot be decrypted`)
      return text
    },
  }
}
export type Secrets = ReturnType<typeof openSecrets>
