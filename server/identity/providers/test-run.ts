/** The result of a provider test run: encrypted, readable for ten minutes by the session that started it. */
import { sql } from 'kysely'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import type { FailureReason } from '../../platform/oidc/failures.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import type { Claimed } from '../sessions/claimed.ts'
import { findAccount } from './account-for-claims.ts'
import { movesByClaims } from './groups-by-claims.ts'
import { lockProviderForSignIn, type StoredProvider } from './queries.ts'
import type { ProviderTry } from './shapes.ts'

const MINUTES = 10

type Claims = Record<string, unknown>
interface Result extends Omit<ProviderTry, 'user'> {
  userId: number | null
}

const placeOf = (row: number) => ({ table: 'provider_tries', column: 'result', row })
const outcomes = { known: 'known', link: 'linked', ask: 'ask', create: 'created' } as const

/** The outcome that signing in with these claims would have. Fails as signing in would. */
export async function resultOf(db: Reads, provider: StoredProvider, claimed: Claimed, claims: Claims): Promise<Result> {
  const found = await findAccount(db, provider, claimed)
  const userId = 'userId' in found ? found.userId : null
  const { joined, left } = await movesByClaims(db, provider.id, userId, claimed)
  const [groupsGained, groupsLost] = [joined, left].map((groups) => groups.map(({ name }) => name)) as [string[], string[]]
  return { claims, outcome: outcomes[found.how], reason: null, userId, groupsGained, groupsLost }
}

export const refusedResult = (reason: FailureReason, claims: Claims): Result => ({
  claims,
  outcome: 'refused',
  reason,
  userId: null,
  groupsGained: [],
  groupsLost: [],
})

/** Stores the result in place of an earlier one, unless the provider or the session is gone. */
export async function keepResult(tx: Tx, secrets: Secrets, providerId: number, sessionId: number, result: Result) {
  const provider = await lockProviderForSignIn(tx, providerId)
  const session = await tx.selectFrom('sessions').select('id').where('id', '=', sessionId).forKeyShare().executeTakeFirst()
  if (!provider || !session) return
  await tx.deleteFrom('providerTries').where('providerId', '=', providerId).where('sessionId', '=', sessionId).execute()
  const { rows } = await sql<{ id: number }>`select nextval(pg_get_serial_sequence('provider_tries', 'id'))::int as id`.execute(tx)
  const { id } = rows[0]!
  const until = sql<Date>`now() + make_interval(mins => ${MINUTES}::int)`
  await tx
    .insertInto('providerTries')
    .values({ id, providerId, sessionId, until, result: secrets.encrypt(placeOf(id), JSON.stringify(result)) })
    .execute()
}

/** The result for this session, with the account it is about. Refuses `not_found` if there is none. */
export async function readResult(db: Reads, secrets: Secrets, providerId: number, sessionId: number): Promise<ProviderTry> {
  const row =
    (await db
      .selectFrom('providerTries')
      .select(['id', 'result'])
      .where('providerId', '=', providerId)
      .where('sessionId', '=', sessionId)
      .where('until', '>', sql<Date>`now()`)
      .executeTakeFirst()) ?? refuse('not_found')
  const { userId, ...result } = JSON.parse(secrets.decrypt(placeOf(row.id), row.result ?? refuse('not_found'))) as Result
  const user =
    userId === null ? undefined : await db.selectFrom('users').select(['id', 'username']).where('id', '=', userId).executeTakeFirst()
  return { ...result, user: user ?? null }
}
