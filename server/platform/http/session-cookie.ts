/** The session cookie. */
import type { FastifyReply } from 'fastify'
import type { Config } from '../config.ts'

const SECONDS_AT_MOST = 30 * 24 * 3600

export const cookieName = (config: Config) => (config.secureCookies ? '__Host-portal_session' : 'portal_session')

/** A cookie that a command sets or clears while it runs, and that is sent once its transaction is committed. */
export function pendingCookie(config: Config) {
  let token: string | null | undefined
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: config.secureCookies } as const
  return {
    set(value: string) {
      token = value
    },
    clear() {
      token = null
    },
    send(reply: FastifyReply) {
      if (token === null) reply.clearCookie(cookieName(config), options)
      else if (token !== undefined) reply.setCookie(cookieName(config), token, { ...options, maxAge: SECONDS_AT_MOST })
    },
  }
}
