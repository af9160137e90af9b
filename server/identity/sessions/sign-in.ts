/** Signing in begins a session, may end others, and makes the browser a known one. */
import { sql } from 'kysely'
import { hashToken } from '../../platform/auth/tokens.ts'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Tx } from '../../platform/database/db.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { knowDevice } from './devices.ts'
import { type Beginning, startSession } from './queries.ts'

const MOST_SESSIONS = 50
/** The most sign-ins of a person within an hour. They are counted by their sessions, which are stored for a day after they end. */
const MOST_SIGN_INS = 100

export interface Browser {
  request: { ip: string; userAgent: string | null; sessionTokens: readonly string[]; deviceTokens: readonly string[] }
  config: { sessionTtlDays: number; rateLimits: boolean }
  cookie: { set(token: string): void; setDevice(token: string): void }
}

/** How a person has signed in. */
export interface Manner extends Beginning {
  /** Whether the browser becomes trusted, and skips the second factor for a while. */
  trusts?: boolean
}

/**
 * Starts a session of a person. Ends the sessions that the browser presented, even if they are another person's, and the person's oldest one
 * if they would have more than 50. Returns the changes. Refuses `rate_limited` after 100 sign-ins within an hour. The caller must have locked
 * the person.
 */
export async function signIn(
  tx: Tx,
  { id, username }: { id: number; username: string },
  { request, config, cookie }: Browser,
  { trusts = false, ...beginning }: Manner = {},
): Promise<Change[]> {
  const author = { id, username }
  if (config.rateLimits) await checkSignIns(tx, id)
  const replaced = await endReplaced(tx, id, request.sessionTokens)
  cookie.set(await startSession(tx, id, request, config.sessionTtlDays, beginning))
  cookie.setDevice(await knowDevice(tx, id, request.deviceTokens, trusts))
  return [
    { kind: 'session.started', targetId: id, facts: { ip: request.ip }, author },
    ...replaced.map(
      ({ sessionId, userId }): Change => ({
        kind: 'session.ended',
        targetId: userId,
        facts: { reason: 'replaced', sessionIds: [sessionId] },
        author,
      }),
    ),
  ]
}

async function checkSignIns(tx: Tx, userId: number) {
  const { rows } = await sql<{ wait: number }>`
    select ceil(extract(epoch from created_at + interval '1 hour' - now()))::int as wait from sessions
    where user_id = ${userId} and kind = 'browser' and created_at > now() - interval '1 hour' order by created_at desc offset ${MOST_SIGN_INS - 1} limit 1`.execute(
    tx,
  )
  if (rows[0]) refuse('rate_limited', { retryAfter: Math.max(1, rows[0].wait) })
}

async function endReplaced(tx: Tx, userId: number, presented: readonly string[]) {
  const hashes = presented.map(hashToken)
  const { rows } = await sql<{ sessionId: number; userId: number }>`
    update sessions set ended_at = now()
    where kind = 'browser' and ended_at is null and expires_at > now() and id = any(array(
      select id from sessions where token_hash = any(${hashes})
      union all (
        select id from sessions where user_id = ${userId} and kind = 'browser' and ended_at is null and expires_at > now()
          and token_hash <> all(${hashes})
        order by id desc offset ${MOST_SESSIONS - 1})))
    returning id as session_id, user_id`.execute(tx)
  return rows
}
