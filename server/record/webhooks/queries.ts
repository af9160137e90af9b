import { type Insertable, sql, type UpdateObject } from 'kysely'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { alphabetically } from '../../platform/database/search.ts'
import { quotaExceeded, refuse } from '../../platform/errors/refusal.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import type { Language, Tables } from '../../platform/tables.ts'
import { toldKinds } from './kinds.ts'
import { MOST_DAYS, MOST_WEBHOOKS } from './rules.ts'

/**
 * SQL: the number of rows that a paused webhook missed, among the first 10,000 after its place. Not all of them become messages to it: its
 * types are compared only when rows are read.
 */
const missed = sql<number>`case when webhooks.is_active then 0 else (
  select count(*) from (
    select id, kind from ledger where id > place and at >= now() - make_interval(days => ${MOST_DAYS}) order by id limit 10000) as missed
  where kind = any(${toldKinds}::text[]) and (missed.id > begun_after or missed.id = any(under_way))) end`
const rests = sql<Date | null>`case when webhooks.is_active and rests_until > now() then rests_until end`
const former = sql<Date | null>`case when former_until > now() and former_secret is not null then former_until end`

const shown = (db: Reads) =>
  db
    .selectFrom('webhooks')
    .leftJoin('users', 'users.id', 'webhooks.createdBy')
    .select([
      'webhooks.id',
      'name',
      'url',
      'types',
      'webhooks.isActive',
      'pausedBecause',
      'failingSince',
      'hasSkipped as skipped',
      'webhooks.createdBy as makerId',
      'users.username as maker',
      'webhooks.createdAt',
      rests.as('restsUntil'),
      former.as('formerSecretUntil'),
      sql<number>`(select count(*) from webhook_deliveries where webhook_id = webhooks.id and state = 'waiting') + ${missed}`.as('behind'),
    ])

type Row = Awaited<ReturnType<ReturnType<typeof shown>['executeTakeFirstOrThrow']>>
function asShown({ makerId, maker, ...webhook }: Row) {
  const { isActive, failingSince } = webhook
  const state = !isActive ? 'paused' : failingSince ? 'failing' : 'working'
  return { ...webhook, state, createdBy: makerId === null ? null : { id: makerId, username: maker! } } as const
}

export const listWebhooks = async (db: Reads, language: Language) =>
  (
    await shown(db)
      .orderBy(alphabetically(sql.ref('webhooks.name'), language))
      .orderBy('webhooks.id')
      .execute()
  ).map(asShown)

/** Refuses `not_found`. */
export const readWebhook = async (db: Reads, id: number) =>
  asShown((await shown(db).where('webhooks.id', '=', id).executeTakeFirst()) ?? refuse('not_found'))

/** Refuses `not_found`. */
export const checkWebhook = async (db: Reads, id: number) =>
  (await db.selectFrom('webhooks').select('id').where('id', '=', id).executeTakeFirst()) ?? refuse('not_found')

/** Locks a webhook, which must be done before its messages are locked; undefined if it does not exist. */
export const findLocked = (tx: Tx, id: number) =>
  tx.selectFrom('webhooks').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
export type Locked = NonNullable<Awaited<ReturnType<typeof findLocked>>>
/** Refuses `not_found`. */
export const lockWebhook = async (tx: Tx, id: number) => (await findLocked(tx, id)) ?? refuse('not_found')

/**
 * SQL: the id up to which every row of the ledger was committed or never will be. The newest seal counts as well, because only sealing goes
 * on while there is no webhook.
 */
const settled = sql`greatest((select settled from webhook_horizon), (select last_id from audit_seals order by id desc limit 1))`
/** The place where a webhook begins that gets every change committed from now on, including those of transactions that are running. */
async function findBeginning(tx: Tx) {
  const { rows } = await sql<{ place: number; begunAfter: number; underWay: number[] }>`
    with begun as materialized (select ${settled} as place, coalesce(pg_sequence_last_value('ledger_id_seq'), 0) as after)
    select place, after as begun_after, array(
        select generate_series(place + 1, after) except select id from ledger where id > place and id <= after order by 1) as under_way
    from begun`.execute(tx)
  return rows[0]!
}

const placeOf = (column: 'secret' | 'former_secret', row: number) => ({ table: 'webhooks', column, row })
const encryptSecret = (secrets: Secrets, id: number, text: string) => secrets.encrypt(placeOf('secret', id), text)

/** A stored secret, as a list; empty if there is none or it cannot be read, for example because it was copied from another row. */
function decryptSecret(secrets: Secrets, column: 'secret' | 'former_secret', id: number, encrypted: Buffer | null) {
  try {
    return encrypted ? [secrets.decrypt(placeOf(column, id), encrypted)] : []
  } catch {
    return []
  }
}

/** The secrets that sign messages, the present one first; empty if the present one cannot be read. */
export function secretsOf(secrets: Secrets, id: number, { secret, formerSecret }: { secret: Buffer | null; formerSecret: Buffer | null }) {
  const present = decryptSecret(secrets, 'secret', id, secret)
  return present.length ? [...present, ...decryptSecret(secrets, 'former_secret', id, formerSecret)] : []
}

type New = Pick<Insertable<Tables['webhooks']>, 'name' | 'url' | 'isActive' | 'createdBy'> & { types: string[] }

/** Adds a webhook, which is told of later changes. Returns its id. Refuses `quota_exceeded` and `secrets_not_configured`. */
export async function insertWebhook(tx: Tx, webhook: New, secrets: Secrets, secret: string) {
  await sql`select pg_advisory_xact_lock(hashtextextended('webhooks', 0))`.execute(tx)
  const { rows } = await sql<{ used: number; id: number }>`
    select (select count(*) from webhooks) as used, nextval(pg_get_serial_sequence('webhooks', 'id'))::int as id`.execute(tx)
  const { used, id } = rows[0]!
  if (used >= MOST_WEBHOOKS) throw quotaExceeded({ quota: 'webhooks', used, allowed: MOST_WEBHOOKS })
  const pausedBecause = webhook.isActive ? null : 'administrator'
  await tx
    .insertInto('webhooks')
    .values({ ...webhook, id, pausedBecause, secret: encryptSecret(secrets, id, secret), ...(await findBeginning(tx)) })
    .execute()
  return id
}

const updateWebhook = (tx: Tx, id: number, columns: UpdateObject<Tables, 'webhooks'>) =>
  tx.updateTable('webhooks').set(columns).where('id', '=', id).execute()

/** Replaces the secret. The present secret stays valid as the former one for `hours`; any earlier one becomes invalid. */
export async function replaceSecret(
  tx: Tx,
  secrets: Secrets,
  { id, secret }: { id: number; secret: Buffer | null },
  text: string,
  hours: number,
) {
  const [present] = hours > 0 ? decryptSecret(secrets, 'secret', id, secret) : []
  await updateWebhook(tx, id, {
    secret: encryptSecret(secrets, id, text),
    formerSecret: present === undefined ? null : secrets.encrypt(placeOf('former_secret', id), present),
    formerUntil: present === undefined ? null : sql<Date>`now() + make_interval(hours => ${hours}::int)`,
  })
}

export const removeWebhook = (tx: Tx, id: number) => tx.deleteFrom('webhooks').where('id', '=', id).execute()

/** The values of a webhook that has neither failures nor rests. */
const blameless = { failingSince: null, told: 0, rests: 0, restsUntil: null } as const
/** The values that a webhook gets when it is switched on. */
const fresh = { isActive: true, pausedBecause: null, ...blameless } as const

/** Makes the waiting messages of a webhook due: the failures for which they waited count no longer. */
const makeDue = (tx: Tx, id: number) =>
  sql`update webhook_deliveries set next_at = now() where webhook_id = ${id} and state = 'waiting' and next_at > now()`.execute(tx)

/** Changes a webhook's fields. What was heard from its former address says nothing about a new one. */
export async function editWebhook(tx: Tx, { id, url }: { id: number; url: string }, fields: UpdateObject<Tables, 'webhooks'>) {
  const isMoved = fields.url !== undefined && fields.url !== url
  await updateWebhook(tx, id, { ...fields, ...(isMoved && blameless) })
  if (isMoved) await makeDue(tx, id)
}

/**
 * Switches on a paused webhook. With `missed`, it continues with the changes that it missed in the last 30 days; with `now`, its waiting
 * messages are given up. Returns whether older changes were left out.
 */
export async function resume(tx: Tx, { id, place }: { id: number; place: number }, from: 'missed' | 'now') {
  if (from === 'now') {
    await sql`
      update webhook_deliveries set state = 'dead', next_at = null, settled_at = now() where webhook_id = ${id} and state = 'waiting'`.execute(
      tx,
    )
    // Nobody needs to be told of messages that an administrator has given up.
    await updateWebhook(tx, id, { ...fresh, ...(await findBeginning(tx)), hasSkipped: false, deadToldAt: sql<Date>`now()` })
    return false
  }
  const { rows } = await sql<{ oldest: number | null }>`
    select (select id from ledger where at < now() - make_interval(days => ${MOST_DAYS}) order by at desc, id desc limit 1) as oldest`.execute(
    tx,
  )
  const { oldest } = rows[0]!
  const hasSkipped = oldest !== null && oldest > place
  await updateWebhook(tx, id, { ...fresh, hasSkipped, place: hasSkipped ? oldest : place })
  await makeDue(tx, id)
  return hasSkipped
}

/** Pauses a webhook. Returns whether it was active. */
export async function pause(tx: Tx, id: number, because: NonNullable<Row['pausedBecause']>) {
  const { rows } = await sql`
    update webhooks set is_active = false, paused_because = ${because} where id = ${id} and is_active returning id`.execute(tx)
  return rows.length > 0
}
