/**
 * The cookies of a browser: its session, a token by which people who signed in with it before know it, and what commands keep in it encrypted.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { type EncryptedCookies, MOST_CHARACTERS } from '../secrets/cookies.ts'

const SESSION_SECONDS = 30 * 24 * 3600
const DEVICE_SECONDS = 365 * 24 * 3600

/** A browser keeps a cookie with this prefix from other hosts and from connections without TLS. */
const prefix = ({ secureCookies }: Config) => (secureCookies ? '__Host-' : '')
export const cookieName = (config: Config) => `${prefix(config)}portal_session`
const deviceCookieName = (config: Config) => `${prefix(config)}portal_device`

/**
 * The effect of a call on the cookies of its caller: begins a session on a known browser, ends it, only marks the browser as known, or keeps
 * a challenge in it.
 */
export type Cookies = 'sign_in' | 'sign_out' | 'device' | 'challenge'

/** The tokens that a browser sent. */
export const tokensOf = (config: Config, { cookies }: FastifyRequest) => ({
  sessionToken: cookies[cookieName(config)],
  deviceToken: cookies[deviceCookieName(config)],
})

/**
 * The browser's cache may have objects of the person who leaves. Its storage has other people's drafts too: the pages clear it themselves.
 */
const CLEARED = '"cache"'

const optionsFor = (config: Config) => ({ path: '/', httpOnly: true, sameSite: 'lax', secure: config.secureCookies }) as const

/** Tells the browser to forget its session and its cached data of the portal. */
export const forgetSession = (config: Config, reply: FastifyReply) =>
  void reply.clearCookie(cookieName(config), optionsFor(config)).header('clear-site-data', CLEARED)

interface Encrypting {
  config: Config
  encryptedCookies: EncryptedCookies
}

/** The value of a cookie that only the portal can write; undefined without one. */
export const encryptedCookieOf = ({ config, encryptedCookies }: Encrypting, { cookies }: FastifyRequest, name: string) =>
  encryptedCookies.decrypt(name, cookies[prefix(config) + name])

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
    /** False, and sets nothing, if browsers would drop the cookie for its length. */
    setEncrypted(name: string, value: unknown, seconds: number) {
      const text = encryptedCookies.encrypt(name, value, seconds)
      const fits = prefix(config).length + name.length + text.length <= MOST_CHARACTERS
      if (fits) encrypted.set(name, { text, seconds })
      return fits
    },
    clearEncrypted(name: string) {
      encrypted.set(name, null)
    },
    isCleared: () => session === null,
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
