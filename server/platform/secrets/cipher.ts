/** Authenticated encryption with AES-256-GCM. */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const [IV_BYTES, TAG_BYTES] = [12, 16]

/** A key for one purpose, by HKDF-SHA-256. */
export const deriveKey = (key: Buffer, purpose: string) => Buffer.from(hkdfSync('sha256', key, '', purpose, 32))

/** Encrypts a text. It can be decrypted only with the same key and the same `context`. */
export function encrypt(key: Buffer, text: string, context = '') {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(context))
  const bytes = Buffer.concat([cipher.update(text), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), bytes])
}

/** Decrypts a text. Throws if the bytes were encrypted with another key or context, or changed. */
export function decrypt(key: Buffer, encrypted: Buffer, context = '') {
  const [iv, tag, bytes] = [
    encrypted.subarray(0, IV_BYTES),
    encrypted.subarray(IV_BYTES, IV_BYTES + TAG_BYTES),
    encrypted.subarray(IV_BYTES + TAG_BYTES),
  ]
  const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(context)).setAuthTag(tag)
  return Buffer.concat([decipher.update(bytes), decipher.final()]).toString()
}

/** As `decrypt`, with the first key that fits; undefined if no key fits. */
export function decryptWithAny(keys: readonly Buffer[], encrypted: Buffer, context: string) {
  for (const key of keys) {
    try {
      return decrypt(key, encrypted, context)
    } catch {
      // The next key may fit.
    }
  }
  return undefined
}
