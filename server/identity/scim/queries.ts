/** Sources of people and groups. */
import { type Insertable, sql, type UpdateObject } from 'kysely'
import type { Static } from 'typebox'
import { emailOf } from '../../people/service-accounts/rules.ts'
import { blockCommandsOf, insertAccount } from '../../people/users/queries.ts'
import type { Config } from '../../platform/config.ts'
import { brokenUnique, type Reads, type Tx } from '../../platform/database/db.ts'
import { personOrNull } from '../../platform/database/json.ts'
import { quotaExceeded, refuse } from '../../platform/errors/refusal.ts'
import type { AsLongAs } from '../../platform/http/call-input.ts'
import { SCIM } from '../../platform/http/scim.ts'
import type { Tables } from '../../platform/tables.ts'
import { accountOf, MOST_SOURCES } from './rules.ts'
import type { GroupProvisioning, Source as SourceShape, UserProvisioning } from './shapes.ts'

const columns = [
  'id',
  'userId',
  'name',
  'isActive',
  'adoptPeople',
  'adoptGroups',
  'nameLanguage',
  'mayGrantAdmin',
  'invite',
  'createdAt',
] as const

const living = sql`select t.* from api_tokens t join sessions s on s.id = t.session_id and s.ended_at is null and s.expires_at > now()
  where t.user_id = provisioning_sources.user_id`
/** When a deactivation by the source was last held; null if that was more than an hour ago. */
const heldAt = sql<Date | null>`case when held_at > now() - interval '60 minutes' then held_at end`
/** How many people are held. The directory tries each of them again and again. */
const heldCount = sql<number>`(select count(*) from held_deactivations where source_id = provisioning_sources.id and at >= held_since)`
/** How many deactivations an administrator still lets through. What the next cycles of the directory leave of them ends a day later. */
export const leftAllowance = sql<number>`case when released_at > now() - interval '24 hours' then allowance else 0 end`
/** SQL: when a source last called. The tokens that are gone have left their last use to the source. */
const lastCallAt = sql<Date | null>`
  greatest(last_call_at, (select max(last_used_at) from api_tokens where user_id = provisioning_sources.user_id))`

export const baseUrlOf = ({ publicUrl }: Config) => `${publicUrl}/api${SCIM}`

type Shown = Static<typeof SourceShape>
const shown = (db: Reads, config: Config) =>
  db
    .selectFrom('provisioningSources')
    .select(columns)
    .select([
      sql.lit(baseUrlOf(config)).as('baseUrl'),
      heldAt.as('heldAt'),
      heldCount.as('heldCount'),
      sql<number>`(select count(*) from provisioned_users where source_id = provisioning_sources.id and removed_at is null)`.as(
        'userCount',
      ),
      sql<number>`(select count(*) from provisioned_groups where source_id = provisioning_sources.id and removed_at is null)`.as(
        'groupCount',
      ),
      lastCallAt.as('lastCallAt'),
      sql<Shown['refusals']>`(
        select coalesce(json_agg(json_build_object(
          'at', at, 'call', call, 'code', code,
          'user', (select ${sql.raw(personOrNull('u'))} from users u where u.id = target_id and call like '% /Users%' and u.kind = 'person'),
          'group', (select json_build_object('id', g.id, 'name', g.name) from groups g where g.id = target_id and call like '% /Groups%'))
          order by id desc), '[]')
        from source_refusals where source_id = provisioning_sources.id)`.as('refusals'),
      sql<Shown['tokens']>`(
        select coalesce(json_agg(json_build_object(
          'id', id, 'name', name, 'lastFour', last_four, 'createdAt', created_at, 'expiresAt', expires_at, 'lastUsedAt', last_used_at,
          'lastUsedIp', last_used_ip) order by expires_at, id), '[]')
        from (${living}) as own)`.as('tokens'),
    ])

const counted = <S extends { heldAt: Date | null; heldCount: number }>(source: S) => ({
  ...source,
  heldCount: source.heldAt ? source.heldCount : 0,
})

export const listSources = async (db: Reads, config: Config) => (await shown(db, config).orderBy('name').execute()).map(counted)

/** Refuses `not_found`. */
export const readSource = async (db: Reads, config: Config, id: number) =>
  counted((await shown(db, config).where('id', '=', id).executeTakeFirst()) ?? refuse('not_found'))

/** Locks a source, after its account: docs/lock-order.md. Refuses `not_found`. */
export async function lockSource(tx: Tx, id: number) {
  const found = await tx.selectFrom('provisioningSources').select('userId').where('id', '=', id).executeTakeFirst()
  await blockCommandsOf(tx, (found ?? refuse('not_found')).userId)
  const locked = tx
    .selectFrom('provisioningSources')
    .select(columns)
    .select(leftAllowance.as('allowance'))
    .where('id', '=', id)
    .forNoKeyUpdate()
  return (await locked.executeTakeFirst()) ?? refuse('not_found')
}

type Settings = Omit<Insertable<Tables['provisioningSources']>, 'userId' | 'id' | 'name'>

/** Refuses `name_taken`, `username_taken` and `quota_exceeded`. */
export async function insertSource(tx: Tx, name: string, settings: Settings) {
  await sql`select pg_advisory_xact_lock(hashtextextended('provisioning_sources', 0))`.execute(tx)
  const used = Number(
    (
      await tx
        .selectFrom('provisioningSources')
        .select(({ fn }) => fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  )
  if (used >= MOST_SOURCES) throw quotaExceeded({ quota: 'sources', used, allowed: MOST_SOURCES })
  const same = await tx.selectFrom('provisioningSources').select('id').where('name', '=', name).executeTakeFirst()
  if (same) refuse('name_taken')
  const username = accountOf(name)
  const userId = await insertAccount(tx, { username, email: emailOf(username), passwordHash: null, kind: 'service' }, 409)
  const { id } = await tx
    .insertInto('provisioningSources')
    .values({ ...settings, name, userId })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => {
      if (brokenUnique(error) === 'source_name_taken') refuse('name_taken')
      throw error
    })
  return { id, userId }
}

export const updateSource = (tx: Tx, id: number, fields: UpdateObject<Tables, 'provisioningSources'>) =>
  tx.updateTable('provisioningSources').set(fields).where('id', '=', id).execute()

export type CallingSource = Awaited<ReturnType<typeof findCaller>>

/**
 * The source with this account. Refuses `forbidden` while the source is switched off. The source's commands lock the account, so switching
 * the source off waits for them.
 */
export async function findCaller(db: Reads, userId: number) {
  const source = await db.selectFrom('provisioningSources').select(columns).where('userId', '=', userId).executeTakeFirst()
  return source?.isActive ? source : refuse('forbidden')
}

/** As `findCaller`, for a call that only reads so far. Its answer is cut off once the source is switched off. */
export function findReader({ db, actor, asLongAs }: { db: Reads; actor: { id: number }; asLongAs: AsLongAs }) {
  asLongAs(async ({ id }) => (await findCaller(db, id)).isActive)
  return findCaller(db, actor.id)
}

const managing = sql<{ id: number; name: string } | null>`(
  select json_build_object('id', id, 'name', name) from provisioning_sources where id = p.source_id)`

/** Refuses `not_found`. */
export async function readStandingOfPerson(db: Reads, id: number) {
  const { rows } = await sql<Static<typeof UserProvisioning>>`
    select ${managing} as source, p.user_name, p.external_id, coalesce(p.attributes, '{}') as attributes,
      coalesce(p.switched_off, false) as is_switched_off, not u.email_vouched and not u.is_exception as is_unproven,
      u.has_older_ways and not u.is_exception as has_older_ways
    from users u left join provisioned_users p on p.user_id = u.id and p.removed_at is null
    where u.id = ${id} and u.kind = 'person'`.execute(db)
  return rows[0] ?? refuse('not_found')
}

/** Refuses `not_found`. */
export async function readStandingOfGroup(db: Reads, id: number) {
  const { rows } = await sql<Static<typeof GroupProvisioning>>`
    select ${managing} as source, p.external_id
    from groups g left join provisioned_groups p on p.group_id = g.id and p.removed_at is null where g.id = ${id}`.execute(db)
  return rows[0] ?? refuse('not_found')
}
