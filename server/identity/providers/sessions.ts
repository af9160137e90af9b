/** Sessions that begin an attempt. */
import { hashToken, isToken } from '../../platform/auth/tokens.ts'
import type { Reads } from '../../platform/database/db.ts'
import { findSession } from '../sessions/active-users.ts'

/** The session that began an attempt, and its person. */
export interface Owner {
  sessionId: number
  userId: number
  username: string
}

/** The hash of a session’s token, as an attempt keeps it. */
export const sessionHashOf = (token: string | undefined) => (isToken(token) ? hashToken(token) : null)

/** The living session of this browser, if it is the one with this hash. */
export const findOwner = async (db: Reads, token: string | undefined, expected: string): Promise<Owner | undefined> =>
  sessionHashOf(token) === expected ? findSession(db, token) : undefined
