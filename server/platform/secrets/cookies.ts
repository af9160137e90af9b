/** Cookies that only the portal can read and write: what a browser has to bring back, without a row in the database. */
import { decryptWithAny, deriveKey, encrypt } from './cipher.ts'

/** The value of a cookie, and the moment, in ms, after which it counts no longer. */
interface Content {
  value: unknown
  until: number
}

/** The longest cookie that browsers keep, in characters of its name and its value. */
export const MOST_CHARACTERS = 4096

/** Encrypts with the first key, and reads what any of them encrypted. A cookie of one name is invalid under another. */
export function openEncryptedCookies(keys: () => readonly [Buffer, ...Buffer[]]) {
  const keysFor = (name: string) => keys().map((key) => deriveKey(key, `cookie ${name}`)) as [Buffer, ...Buffer[]]
  return {
    encrypt(name: string, value: unknown, seconds: number) {
      const content: Content = { value, until: Date.now() + seconds * 1000 }
      return encrypt(keysFor(name)[0], JSON.stringify(content), name).toString('base64url')
    },
    /** The value; undefined if the portal did not write the text as this cookie, or its time is over. */
    decrypt(name: string, text: string | undefined): unknown {
      if (text === undefined || text.length > MOST_CHARACTERS) return undefined
      const bytes = Buffer.from(text, 'base64url')
      // Node ignores characters that it cannot read.
      const content = bytes.toString('base64url') === text ? decryptWithAny(keysFor(name), bytes, name) : undefined
      if (content === undefined) return undefined
      const { value, until } = JSON.parse(content) as Content
      return until > Date.now() ? value : undefined
    },
  }
}
export type EncryptedCookies = ReturnType<typeof openEncryptedCookies>
