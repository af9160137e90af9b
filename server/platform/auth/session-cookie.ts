/**
 * The cookies of a browser: its session, a token by which the portal knows who has signed in with it before, and values that commands store
 * encrypted.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { type EncryptedCookies, MOST_CHARACTERS } from '../secrets/cookies.ts'
import { bearerIn } from './api-tokens.ts'
import { isToken } from './tokens.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The session tokens that the browser sent. Once the caller is known, the token of their session comes first. */
    sessionTokens: readonly string[]
  }
}

const SESSION_SECONDS = 30 * 24 * 3600
const DEVICE_SECONDS = 365 * 24 * 3600

/** Browsers never send a cookie with this prefix to other hosts or over connections without TLS. */
const prefix = ({ secureCookies }: Config) => (secureCookies ? '__Host-' : '')
export const cookieName = (config: Config) => `${prefix(config)}portal_session`
const deviceCookieName = (config: Config) => `${prefix(config)}portal_device`

/**
 * The effect of a call on the caller's cookies: it begins a session and marks the browser as known, ends the session, only marks the
 * browser, or stores a challenge or an attempt at a provider.
 */
export type Cookies = 'sign_in' | 'sign_out' | 'device' | 'challenge' | 'attempt'

/** At most this many cookies of one name are read. */
const MOST_OF_A_NAME = 20

/**
 * The values of a cookie, in the order in which the browser sent them. There are several where a parent domain or an older path has a
 * cookie of the same name, and nothing says which is which. With an API token, no cookie counts.
 */
function valuesOf({ headers }: FastifyRequest, name: string): string[] {
  if (!headers.cookie || bearerIn(headers.authorization) !== undefined) return []
  const values = headers.cookie.split(';').flatMap((pair) => {
    const at = pair.indexOf('=')
    return at > 0 && pair.slice(0, at).trim() === name
      ? [
          pair
            .slice(at + 1)
            .trim()
            .replace(/^"(.*)"$/, '$1'),
        ]
      : []
  })
  return [...new Set(values)].slice(0, MOST_OF_A_NAME)
}

export const sentSessionTokens = (config: Config, request: FastifyRequest) => valuesOf(request, cookieName(config)).filter(isToken)

/** The session and device tokens that a browser sent. */
export const tokensOf = (config: Config, request: FastifyRequest) => ({
  sessionToken: request.sessionTokens[0],
  sessionTokens: request.sessionTokens,
  deviceTokens: valuesOf(request, deviceCookieName(config)).filter(isToken),
})

/**
 * The browser's cache may hold objects of the person who signs out. The storage is kept, because it also holds other people's drafts: the
 * pages remove the drafts of this person.
 */
const CLEARED = '"cache"'

const optionsFor = (config: Config) => ({ path: '/', httpOnly: true, sameSite: 'lax', secure: config.secureCookies }) as const

/** Tells the browser to forget its session and its cached data of the portal. */
const forgetSession = (config: Config, reply: FastifyReply) =>
  void reply.clearCookie(cookieName(config), optionsFor(config)).header('clear-site-data', CLEARED)

interface Encrypting {
  config: Config
  encryptedCookies: EncryptedCookies
}

/** The value of a cookie that only the portal can write; undefined without one. */
export function encryptedCookieOf({ config, encryptedCookies }: Encrypting, request: FastifyRequest, name: string) {
  for (const text of valuesOf(request, prefix(config) + name)) {
    const value = encryptedCookies.decrypt(name, text)
    if (value !== undefined) return value
  }
  return undefined
}

/** Cookies that a command sets or clears, sent once its transaction is committed. */
export function pendingCookie({ config, encryptedCookies }: Encrypting) {
  let session: string | null | undefined
  let device: string | undefined
  const encrypted = new Map<string, { text: string; seconds: number } | null>()
  const options = optionsFor(config)
  return {
    set(token: string) {
      session = token
    },
    setDevice(token: string) {
      device = token
    },
    clear() {
      session = null
    },
    /** Returns false, and sets nothing, if the cookie is so long that browsers would drop it. */
    setEncrypted(name: string, value: unknown, seconds: number) {
      const text = encryptedCookies.encrypt(name, value, seconds)
      const fits = prefix(config).length + name.length + text.length <= MOST_CHARACTERS
      if (fits) encrypted.set(name, { text, seconds })
      return fits
    },
    clearEncrypted(name: string) {
      encrypted.set(name, null)
    },
    send(reply: FastifyReply) {
      if (session === null) forgetSession(config, reply)
      else if (session !== undefined) reply.setCookie(cookieName(config), session, { ...options, maxAge: SESSION_SECONDS })
      if (device !== undefined) reply.setCookie(deviceCookieName(config), device, { ...options, maxAge: DEVICE_SECONDS })
      for (const [name, kept] of encrypted) {
        const full = prefix(config) + name
        if (!kept) reply.clearCookie(full, options)
        else reply.setCookie(full, kept.text, { ...options, maxAge: kept.seconds })
      }
    },
  }
}
