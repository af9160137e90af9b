/** Locks active users and finds live sessions, for endpoints that anyone may call. */
import { sql } from 'kysely'
import { holdingWays } from '../../platform/auth/break-glass.ts'
import { hashToken, isToken } from '../../platform/auth/tokens.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'

const activePerson = (tx: Tx, id: number) =>
  tx
    .selectFrom('users')
    .select(['id', 'username', 'passwordHash'])
    .where('id', '=', id)
    .where('isActive', '=', true)
    .where('kind', '=', 'person')
    .forNoKeyUpdate()

/** Locks an active person; undefined for other accounts. */
export const lockActive = (tx: Tx, id: number) => activePerson(tx, id).executeTakeFirst()

/**
 * As `lockActive`, and locks the settings of sign-in against changes. Read the settings in a later statement: the statement that locks may
 * have waited for a change, and still sees the former settings.
 */
export const lockForSignIn = (tx: Tx, id: number) =>
  tx
    .with('person', () => activePerson(tx, id))
    .selectFrom('person')
    .select(['id', 'username', 'passwordHash', holdingWays.as('held')])
    .executeTakeFirst()

/** The live session of a browser and its person; undefined without one. */
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
