/** Active people and living sessions, for endpoints that anyone may call. */
import { sql } from 'kysely'
import { hashToken, isToken } from '../platform/auth/tokens.ts'
import type { Reads, Tx } from '../platform/database/db.ts'

/** Locks an active person; undefined if there is none. */
export const lockActive = (tx: Tx, id: number) =>
  tx
    .selectFrom('users')
    .select(['id', 'username', 'passwordHash'])
    .where('id', '=', id)
    .where('isActive', '=', true)
    .where('kind', '=', 'person')
    .forNoKeyUpdate()
    .executeTakeFirst()

/** The living session of a browser and its person; undefined without one. */
export const findSession = async (db: Reads, token: string | undefined) =>
  isToken(token)
    ? await db
        .selectFrom('sessions')
        .innerJoin('users', 'users.id', 'sessions.userId')
        .select(['sessions.id as sessionId', 'sessions.userId', 'users.username'])
        .where('sessions.tokenHash', '=', hashToken(token))
        .where('sessions.kind', '=', 'browser')
        .where(sql<boolean>`ended_at is null and expires_at > now()`)
        .where('users.isActive', '=', true)
        .where('users.kind', '=', 'person')
        .executeTakeFirst()
    : undefined
