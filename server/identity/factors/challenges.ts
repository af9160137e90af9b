/** Challenges for passkeys: each is stored in an encrypted cookie and accepted once, for one purpose and one session or person. */

import { newToken } from '../../platform/auth/tokens.ts'
import { useOnce } from '../../platform/auth/used-once.ts'
import type { Tx } from '../../platform/database/db.ts'
import type { Purpose } from './rules.ts'
import type { Assertion, Attestation } from './shapes.ts'
import { challengeIn } from './webauthn.ts'

const COOKIE = 'portal_challenge'
const SECONDS = 300
/** Several, because each tab may ask for a challenge, and the sign-in page asks as it opens. */
const MOST_CHALLENGES = 5
export const CHALLENGE_MS = SECONDS * 1000

/** The session or user a challenge belongs to; empty before anyone is identified. */
export interface ChallengeOwner {
  sessionId?: number
  userId?: number
}
export interface Challenge extends ChallengeOwner {
  purpose: Purpose | 'enrol'
  /** 256 random bits. */
  challenge: string
  until: number
  /** The user handle of a new passkey. */
  handle?: string
}

interface Browser {
  request: { encryptedCookie: (name: string) => unknown }
  cookie: { setEncrypted(name: string, value: unknown, seconds: number): unknown; clearEncrypted(name: string): void }
}
/** The challenges of a browser that have not expired, the oldest first. */
const challengesOf = ({ encryptedCookie }: Browser['request']) =>
  [(encryptedCookie(COOKIE) as Challenge[] | undefined) ?? []].flat().filter(({ until }) => until > Date.now())

/** Adds a new challenge to the cookie, in place of the oldest one if there are too many. */
export function keepChallenge({ request, cookie }: Browser, about: Omit<Challenge, 'challenge' | 'until'>) {
  const kept: Challenge = { ...about, challenge: newToken(), until: Date.now() + CHALLENGE_MS }
  cookie.setEncrypted(COOKIE, [...challengesOf(request), kept].slice(-MOST_CHALLENGES), SECONDS)
  return kept.challenge
}

/** The challenge that the browser has answered; undefined if it has expired, or is for another purpose, session or person. */
export function challengeFor(
  request: Browser['request'],
  purpose: Challenge['purpose'],
  { sessionId, userId }: ChallengeOwner,
  answer: Assertion | Attestation,
) {
  const answered = challengeIn(answer)
  return challengesOf(request).find(
    (kept) => kept.challenge === answered && kept.purpose === purpose && kept.sessionId === sessionId && kept.userId === userId,
  )
}

/** Uses a challenge up and removes it from the cookie. False if it was used before. */
export function useChallenge(tx: Tx, { challenge, until }: Challenge, { request, cookie }: Browser) {
  const others = challengesOf(request).filter((kept) => kept.challenge !== challenge)
  if (others.length) cookie.setEncrypted(COOKIE, others, SECONDS)
  else cookie.clearEncrypted(COOKIE)
  return useOnce(tx, `challenge ${challenge}`, new Date(until))
}
