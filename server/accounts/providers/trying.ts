/** What came of trying a provider, encrypted, for the session that began it, for ten minutes. */
import { sql } from 'kysely'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import type { FailureReason } from '../../platform/oidc/failures.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import { holdProvider } from './queries.ts'

const MINUTES = 10

interface Result {
  claims: Record<string, unknown>
  outcome: 'known' | 'linked' | 'ask' | 'created' | 'refused'
  reason: FailureReason | null
  userId: number | null
  groupsGained: string[]
  groupsLost: string[]
}
interface Kept {
  providerId: number
  sessionId: number
  result: Result
}

const placeOf = (row: number) => ({ table: 'provider_tries', column: 'result', row })

/** Keeps the result in place of an earlier one, unless the provider or the session is gone. */
export async function keepTry(tx: Tx, secrets: Secrets, { providerId, sessionId, result }: Kept) {
  const provider = await holdProvider(tx, providerId)
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
export async function readTry(db: Reads, secrets: Secrets, providerId: number, sessionId: number) {
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
