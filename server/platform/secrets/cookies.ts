/** Cookies that only the portal can read and write. Browsers send their values back, so that the values need no rows in the database. */
import { decryptWithAny, deriveKey, encrypt } from './cipher.ts'

/** The value of a cookie, and when it expires, in milliseconds since 1970. */
interface Content {
  value: unknown
  until: number
}

/** The longest cookie that browsers store, in characters of its name and its value. */
export const MOST_CHARACTERS = 4096

/** Encrypts with the first key, and reads cookies of any of the keys. A cookie of one name is invalid under another name. */
export function openEncryptedCookies(keys: () => readonly [Buffer, ...Buffer[]]) {
  const keysFor = (name: string) => keys().map((key) => deriveKey(key, `cookie ${name}`)) as [Buffer, ...Buffer[]]
  return {
    encrypt(name: string, value: unknown, seconds: number) {
      const content: Content = { value, until: Date.now() + seconds * 1000 }
      return encrypt(keysFor(name)[0], JSON.stringify(content), name).toString('base64url')
    },
    /** The value; undefined if the portal did not write the text as this cookie, or if the cookie has expired. */
    decrypt(name: string, text: string | undefined): unknown {
      if (text === undefined || text.length > MOST_CHARACTERS) return undefined
      const bytes = Buffer.from(text, 'base64url')
      // Node ignores invalid characters when it decodes base64url, so an altered text could give the same bytes.
      const content = bytes.toString('base64url') === text ? decryptWithAny(keysFor(name), bytes, name) : undefined
      if (content === undefined) return undefined
      const { value, until } = JSON.parse(content) as Content
      return until > Date.now() ? value : undefined
    },
  }
}
export type EncryptedCookies = ReturnType<typeof openEncryptedCookies>
