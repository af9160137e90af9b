/** Challenges for passkeys: each waits in an encrypted cookie and opens one thing, for one session or person, once. */
import type { Purpose } from '../factors/rules.ts'
import { newToken } from '../platform/auth/tokens.ts'
import { useOnce } from '../platform/auth/used-once.ts'
import type { Tx } from '../platform/database/db.ts'

const COOKIE = 'portal_challenge'
const SECONDS = 300
export const CHALLENGE_MS = SECONDS * 1000

/** Whom a challenge is for, where somebody is known: a session, or the person who waits to sign in or to be linked. */
export interface Asked {
  sessionId?: number
  userId?: number
}
export interface Challenge extends Asked {
  purpose: Purpose | 'enrol'
  /** 256 random bits. */
  challenge: string
  until: number
  /** What a new passkey calls the person. */
  handle?: string
}

interface Setting {
  setEncrypted(name: string, value: unknown, seconds: number): void
}
/** Keeps a new challenge in the browser, in place of an earlier one. */
export function keepChallenge(cookie: Setting, about: Omit<Challenge, 'challenge' | 'until'>) {
  const kept: Challenge = { ...about, challenge: newToken(), until: Date.now() + CHALLENGE_MS }
  cookie.setEncrypted(COOKIE, kept, SECONDS)
  return kept.challenge
}

interface Asking {
  encryptedCookie: (name: string) => unknown
}
/** The browser's challenge, if it is for this purpose and for the same session or person. */
export function challengeFor({ encryptedCookie }: Asking, purpose: Challenge['purpose'], { sessionId, userId }: Asked) {
  const kept = encryptedCookie(COOKIE) as Challenge | undefined
  const isMeant = kept?.purpose === purpose && kept.sessionId === sessionId && kept.userId === userId
  return isMeant ? kept : undefined
}

/** Uses the challenge up. False if it was used before. */
export function useChallenge(tx: Tx, { challenge, until }: Challenge, cookie: { clearEncrypted(name: string): void }) {
  cookie.clearEncrypted(COOKIE)
  return useOnce(tx, `challenge ${challenge}`, new Date(until))
}
