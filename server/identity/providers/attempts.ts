/**
 * Attempts to sign in with a provider, and the pages to which they lead. The browser stores them in an encrypted cookie, so that strangers
 * cannot make the portal write.
 */
import { hash } from 'node:crypto'
import { hashToken, isToken, newToken } from '../../platform/auth/tokens.ts'
import type { Config } from '../../platform/config.ts'
import type { Reads } from '../../platform/database/db.ts'
import { refuseField } from '../../platform/errors/refusal.ts'
import { type FailureReason, fail } from '../../platform/oidc/failures.ts'
import { ATTEMPT_MS } from '../../platform/oidc/shares.ts'
import { findSession } from '../sessions/active-users.ts'
import type { StoredProvider } from './queries.ts'

const COOKIE = 'portal_sso'
const MOST_ATTEMPTS = 5
/** A cookie has at most 3.5 KB, and encryption and base64url make the attempts a third longer. */
const MOST_BYTES = 2550
/** Longer than an attempt lasts, so that a late return fails as `expired` and not as `state`. */
const COOKIE_SECONDS = 3600

type Purpose = 'sign_in' | 'link' | 'confirm' | 'try'

export interface Attempt {
  provider: number
  /** A hash of the provider's issuer and client, so that no code is ever sent to a different issuer or client. */
  client: string
  state: string
  nonce: string
  verifier: string
  purpose: Purpose
  /** The page to which the browser goes afterwards; null for the usual page. */
  returnTo: string | null
  /** The hash of the token of the session that began the attempt; null for signing in. */
  session: string | null
  /** The start of the attempt, in ms. */
  at: number
}

interface WithCookies {
  encryptedCookie(name: string): unknown
}
interface Cookie {
  setEncrypted(name: string, value: unknown, seconds: number): void
  clearEncrypted(name: string): void
}

/** The attempts of a browser, the oldest first. */
const attemptsOf = (request: WithCookies) => (request.encryptedCookie(COOKIE) as Attempt[] | undefined) ?? []

function keep(cookie: Cookie, attempts: Attempt[]) {
  if (attempts.length) cookie.setEncrypted(COOKIE, attempts, COOKIE_SECONDS)
  else cookie.clearEncrypted(COOKIE)
}

export const clientHashOf = ({ issuer, clientId }: Pick<StoredProvider, 'issuer' | 'clientId'>) =>
  hash('sha256', JSON.stringify([issuer, clientId]), 'base64url').slice(0, 22)

const sessionHashOf = (token: string | undefined) => (isToken(token) ? hashToken(token) : null)

interface Beginning extends Pick<Attempt, 'purpose' | 'returnTo'> {
  /** The token of the session that begins the attempt; undefined for signing in. */
  session?: string | undefined
}
/** A new attempt, whose secrets nobody can guess. */
export const newAttempt = (provider: StoredProvider, { purpose, returnTo, session }: Beginning): Attempt => ({
  purpose,
  returnTo,
  session: sessionHashOf(session),
  provider: provider.id,
  client: clientHashOf(provider),
  state: newToken(),
  nonce: newToken(),
  verifier: newToken(),
  at: Date.now(),
})

/** Adds an attempt to the browser's cookie. The oldest ones are dropped if there are too many, or if they take too much room. */
export function addAttempt(request: WithCookies, cookie: Cookie, attempt: Attempt) {
  const kept = [...attemptsOf(request).filter(({ at }) => at > Date.now() - COOKIE_SECONDS * 1000), attempt].slice(-MOST_ATTEMPTS)
  while (kept.length > 1 && Buffer.byteLength(JSON.stringify(kept)) > MOST_BYTES) kept.shift()
  keep(cookie, kept)
}

/** The attempt with this state, of this provider. Fails `state` if the browser has none, and `expired` for one that began too long ago. */
export function findAttempt(request: WithCookies, provider: number | undefined, state: string | undefined): Attempt {
  const attempt = attemptsOf(request).find((one) => one.state === state && one.provider === provider)
  if (!attempt) return fail('state')
  return attempt.at < Date.now() - ATTEMPT_MS ? fail('expired') : attempt
}

/** Removes the attempt with this state from the browser's cookie. */
export function takeAttempt(request: WithCookies, cookie: Cookie, state: string | undefined) {
  const attempts = attemptsOf(request)
  const left = attempts.filter((one) => one.state !== state)
  if (left.length < attempts.length) keep(cookie, left)
}

/** The text that marks an attempt as used, and the time until which it is stored. */
export const useOf = ({ state, at }: Attempt) => [`provider attempt ${state}`, new Date(at + ATTEMPT_MS)] as const

/** The session that began an attempt, with its person, if the browser still has it. Undefined if it has ended, and for signing in. */
export const findStarter = async (
  db: Reads,
  { sessionToken }: { sessionToken: string | undefined },
  { session }: Pick<Attempt, 'session'>,
) => (session !== null && sessionHashOf(sessionToken) === session ? findSession(db, sessionToken) : undefined)
export type Starter = NonNullable<Awaited<ReturnType<typeof findStarter>>>

/** Refuses a path that a browser could read as another host. */
export function checkReturnTo(returnTo: string | undefined): string | null {
  if (returnTo === undefined) return null
  const { pathname, origin } = new URL(returnTo, 'http://portal.invalid')
  if (origin !== 'http://portal.invalid' || pathname.startsWith('//')) refuseField('returnTo', 'pattern', { form: 'route' })
  return returnTo
}

/** A path of the portal as an address in a header: below the path of PUBLIC_URL, and in ASCII. */
export function locationOf({ publicUrl }: Config, path: string) {
  const base = new URL(publicUrl).pathname.replace(/\/$/, '')
  return base + path.replace(/[^\x21-\x7e]+/g, (text) => encodeURIComponent(text))
}

function withParameter(path: string, name: string, value: string) {
  const [before, fragment] = path.split(/#(.*)/s) as [string, string | undefined]
  return `${before}${before.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}${fragment === undefined ? '' : `#${fragment}`}`
}

const usual = { sign_in: '/', link: '/account/security', confirm: '/account/security', try: '/admin/sign-in' } as const

/** The address after an attempt that succeeded. */
export const afterSuccess = (config: Config, { purpose, returnTo }: Pick<Attempt, 'purpose' | 'returnTo'>, slug: string) =>
  locationOf(config, purpose === 'try' ? withParameter(usual.try, 'tried', slug) : (returnTo ?? usual[purpose]))

/** The address after an attempt that failed. */
export function afterFailure(config: Config, reason: FailureReason, attempt: Attempt | undefined, slug: string) {
  if (!attempt || attempt.purpose === 'sign_in') return locationOf(config, withParameter('/sign-in', 'failed', reason))
  if (attempt.purpose === 'try') return afterSuccess(config, attempt, slug)
  return locationOf(config, withParameter(attempt.returnTo ?? usual[attempt.purpose], 'failed', reason))
}
