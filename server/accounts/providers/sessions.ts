/** Sessions that begin an attempt, and those that begin with one. */
import { hash } from 'node:crypto'
import { sql } from 'kysely'
import { hashToken, isToken } from '../../platform/auth/tokens.ts'
import type { Reads } from '../../platform/database/db.ts'

/** The session that began an attempt, and its person. */
export interface Owner {
  sessionId: number
  userId: number
  username: string
}

/** The hash of a session’s token, as an attempt keeps it. */
export const sessionHashOf = (token: string | undefined) => (isToken(token) ? hashToken(token) : null)

/** The living session of this browser, if it is the one with this hash. */
export async function findOwner(db: Reads, token: string | undefined, expected: string): Promise<Owner | undefined> {
  if (sessionHashOf(token) !== expected) return undefined
  const { rows } = await sql<Owner>`
    select s.id as session_id, u.id as user_id, u.username from sessions s join users u on u.id = s.user_id
    where s.token_hash = ${expected} and s.kind = 'browser' and s.ended_at is null and s.expires_at > now()
      and u.is_active and u.kind = 'person'`.execute(db)
  return rows[0]
}

/** Whether the text was used once; see `useOnce`. */
export async function isUsed(db: Reads, text: string) {
  const hashed = hash('sha256', text, 'base64url')
  return (await db.selectFrom('usedOnce').select('hash').where('hash', '=', hashed).executeTakeFirst()) !== undefined
}
