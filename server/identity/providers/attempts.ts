/** Attempts to sign in with a provider, which the browser keeps in an encrypted cookie: no stranger makes the portal write. */
import { hash } from 'node:crypto'
import { newToken } from '../../platform/auth/tokens.ts'
import { fail } from '../../platform/oidc/failures.ts'
import { ATTEMPT_MS } from '../../platform/oidc/shares.ts'
import type { Known } from './queries.ts'

const COOKIE = 'portal_sso'
const MOST_ATTEMPTS = 5
/** A cookie of at most 3.5 KB, which encryption and its alphabet make a third longer than this. */
const MOST_BYTES = 2550
/** Longer than an attempt, so that a late return is told from a foreign one. */
const COOKIE_SECONDS = 3600

export type Purpose = 'sign_in' | 'link' | 'confirm' | 'try'

export interface Attempt {
  provider: number
  /** Of the provider's issuer and client: a code of one is never sent to another. */
  client: string
  state: string
  nonce: string
  verifier: string
  purpose: Purpose
  /** Where the browser goes on; null for the usual page. */
  returnTo: string | null
  /** The hash of the token of the session that began it; null for signing in. */
  session: string | null
  /** When it began, in ms. */
  at: number
}

interface Asking {
  encryptedCookie(name: string): unknown
}
interface Cookie {
  setEncrypted(name: string, value: unknown, seconds: number): void
  clearEncrypted(name: string): void
}

/** The attempts of a browser, the oldest first. */
const attemptsOf = (request: Asking) => (request.encryptedCookie(COOKIE) as Attempt[] | undefined) ?? []

function keep(cookie: Cookie, attempts: Attempt[]) {
  if (attempts.length) cookie.setEncrypted(COOKIE, attempts, COOKIE_SECONDS)
  else cookie.clearEncrypted(COOKIE)
}

export const clientHashOf = ({ issuer, clientId }: Pick<Known, 'issuer' | 'clientId'>) =>
  hash('sha256', JSON.stringify([issuer, clientId]), 'base64url').slice(0, 22)

/** A new attempt, whose secrets nobody can guess. */
export const newAttempt = (provider: Known, fields: Pick<Attempt, 'purpose' | 'returnTo' | 'session'>): Attempt => ({
  ...fields,
  provider: provider.id,
  client: clientHashOf(provider),
  state: newToken(),
  nonce: newToken(),
  verifier: newToken(),
  at: Date.now(),
})

/** Adds an attempt to those of the browser; the oldest make room. */
export function addAttempt(request: Asking, cookie: Cookie, attempt: Attempt) {
  const kept = [...attemptsOf(request).filter(({ at }) => at > Date.now() - COOKIE_SECONDS * 1000), attempt].slice(-MOST_ATTEMPTS)
  while (kept.length > 1 && Buffer.byteLength(JSON.stringify(kept)) > MOST_BYTES) kept.shift()
  keep(cookie, kept)
}

/** The attempt with this state, of this provider. Fails `state` if the browser has none, and `expired` for one that began too long ago. */
export function findAttempt(request: Asking, provider: number | undefined, state: string | undefined): Attempt {
  const attempt = attemptsOf(request).find((one) => one.state === state && one.provider === provider)
  if (!attempt) return fail('state')
  return attempt.at < Date.now() - ATTEMPT_MS ? fail('expired') : attempt
}

/** Takes the attempt with this state from the browser, and leaves the others. */
export function takeAttempt(request: Asking, cookie: Cookie, state: string | undefined) {
  const attempts = attemptsOf(request)
  const left = attempts.filter((one) => one.state !== state)
  if (left.length < attempts.length) keep(cookie, left)
}

/** The text by which the use of an attempt is remembered, and until when. */
export const useOf = ({ state, at }: Attempt) => [`provider attempt ${state}`, new Date(at + ATTEMPT_MS)] as const
