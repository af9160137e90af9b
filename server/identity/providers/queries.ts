import type { JsonWebKey } from 'node:crypto'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Config } from '../../platform/config.ts'
import { brokenUnique, type Reads, type Tx } from '../../platform/database/db.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { type ClientOf, KEY_ID } from '../../platform/oidc/exchange.ts'
import type { Metadata } from '../../platform/oidc/metadata.ts'
import type { Providers, Stored } from '../../platform/oidc/providers.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import type { Tables } from '../../platform/tables.ts'
import type { ClaimNames, Provider, ProviderEdit } from './shapes.ts'

type Row = Selectable<Tables['signInProviders']>
export type GroupRule = NonNullable<ProviderEdit['groupRules']>[number]
export type Requirement = NonNullable<ProviderEdit['require']>[number]

/** A stored provider, with everything that a sign-in needs. */
export interface StoredProvider extends Omit<Row, 'claims' | 'requirements' | 'publicKey'> {
  claims: ClaimNames
  requirements: Requirement[]
  publicKey: (JsonWebKey & { kid?: string }) | null
  stored: Stored
  unreachableSince: Date | null
}

/** SQL: the names of the claims. Providers of former versions have no `external`. */
const claimNames = sql<ClaimNames>`'{"external": null}'::jsonb || p.claims`

const stored = (db: Reads) =>
  db
    .selectFrom('signInProviders as p')
    .leftJoin('providerStates as state', 'state.providerId', 'p.id')
    .selectAll('p')
    .select([
      claimNames.as('claims'),
      sql<Requirement[]>`p.requirements`.as('requirements'),
      sql<StoredProvider['publicKey']>`p.public_key`.as('publicKey'),
      sql<Metadata | null>`state.metadata`.as('metadata'),
      'state.fetchedAt',
      'state.unreachableSince',
    ])

type StoredRow = Omit<StoredProvider, 'stored'> & Stored
const fromRow = ({ metadata, fetchedAt, ...row }: StoredRow): StoredProvider => ({ ...row, stored: { metadata, fetchedAt } })

export async function findBySlug(db: Reads, slug: string) {
  const row = await stored(db).where('p.slug', '=', slug).executeTakeFirst()
  return row && fromRow(row)
}

/** Refuses `not_found` for an unknown provider and for one that is not active. */
export async function findActive(db: Reads, slug: string) {
  const provider = await findBySlug(db, slug)
  return provider?.isActive ? provider : refuse('not_found')
}

export async function findProvider(db: Reads, id: number) {
  const row = await stored(db).where('p.id', '=', id).executeTakeFirst()
  return row && fromRow(row)
}

/** As `findProvider`, and locks the provider against changes and deletion. Sign-ins do not wait for each other. */
export async function lockProviderForSignIn(tx: Tx, id: number) {
  await tx.selectFrom('signInProviders').select('id').where('id', '=', id).forKeyShare().executeTakeFirst()
  return findProvider(tx, id)
}

/** Refuses `not_found`. */
export const findById = async (db: Reads, id: number) => (await findProvider(db, id)) ?? refuse('not_found')

export const listActive = async (db: Reads) =>
  (await stored(db).where('p.isActive', '=', true).orderBy('p.sortOrder').orderBy('p.id').execute()).map(fromRow)

/** Where a provider’s secrets are stored. */
const placeOf = (column: 'client_secret' | 'private_key', row: number) => ({ table: 'sign_in_providers', column, row })
export const encryptSecret = (secrets: Secrets, id: number, text: string) => secrets.encrypt(placeOf('client_secret', id), text)
export const encryptKey = (secrets: Secrets, id: number, text: string) => secrets.encrypt(placeOf('private_key', id), text)

/** The portal as a client of the provider, with its secrets. */
export const clientOf = (secrets: Secrets, { id, clientSecret, privateKey, ...provider }: StoredProvider): ClientOf => ({
  id,
  issuer: provider.issuer,
  clientId: provider.clientId,
  clientAuth: provider.clientAuth as ClientOf['clientAuth'],
  scopes: provider.scopes,
  clientSecret: clientSecret && secrets.decrypt(placeOf('client_secret', id), clientSecret),
  privateKey: privateKey && secrets.decrypt(placeOf('private_key', id), privateKey),
})

const apiOf = ({ publicUrl }: Config, slug: string) => `${publicUrl}/api/auth/oidc/${slug}`
export const redirectUrlOf = (config: Config, slug: string) => `${apiOf(config, slug)}/callback`

/** The columns whose values come from a fixed set of words. */
const choices = [
  sql<Provider['clientAuth']>`client_auth`.as('clientAuth'),
  sql<Provider['linking']>`linking`.as('linking'),
  sql<Provider['groupMode']>`group_mode`.as('groupMode'),
  sql<Provider['secondFactor']>`second_factor`.as('secondFactor'),
  sql<Provider['logout']>`logout`.as('logout'),
  sql<Provider['logoutHint']>`logout_hint`.as('logoutHint'),
] as const

const rulesOf = sql<GroupRule[]>`(
  select coalesce(json_agg(json_build_object('value', value, 'groupId', group_id, 'grantsAdmin', grants_admin) order by value, group_id), '[]')
  from provider_group_rules where provider_id = p.id)`

/** Providers as administrators see them, in their order. */
export async function readProviders(
  db: Reads,
  config: Config,
  { answered }: Pick<Providers, 'answered'>,
  id?: number,
): Promise<Provider[]> {
  const rows = await db
    .selectFrom('signInProviders as p')
    .selectAll('p')
    .select([
      rulesOf.as('groupRules'),
      claimNames.as('claims'),
      sql<Requirement[]>`requirements`.as('requirements'),
      ...choices,
      sql<boolean>`client_secret is not null`.as('hasSecret'),
      sql<number>`(select count(*) from identities where provider_id = p.id)`.as('identityCount'),
      sql<number>`(
        select count(*) from sessions where provider_id = p.id and ended_at is null and expires_at > now())`.as('sessionCount'),
      sql<Date | null>`(select max(last_used_at) from identities where provider_id = p.id)`.as('lastSignInAt'),
      sql<number>`(select count(*) from sessions where provider_id = p.id and created_at > now() - interval '1 day')`.as('signIns24h'),
      sql<Record<string, number>>`(
        select coalesce(json_object_agg(outcome, count order by outcome), '{}') from (
          select outcome, sum(count) as count from provider_counts
          where provider_id = p.id and hour > now() - interval '1 day' group by outcome) as counted)`.as('counts'),
      sql<boolean>`not exists (select from provider_states where provider_id = p.id and unreachable_since is not null)`.as('isReachable'),
    ])
    .$if(id !== undefined, (providers) => providers.where('p.id', '=', id!))
    .orderBy('p.sortOrder')
    .orderBy('p.id')
    .execute()
  return rows.map(({ counts: { overage = 0, ...refusals }, groupRules, ...row }) => ({
    ...row,
    require: row.requirements,
    groupRules: groupRules.map(({ grantsAdmin, ...rule }) => ({ ...rule, ...(grantsAdmin && { grantsAdmin }) })),
    isChecked: row.checkedAt !== null,
    redirectUrl: redirectUrlOf(config, row.slug),
    backchannelUrl: `${apiOf(config, row.slug)}/backchannel-logout`,
    jwksUrl: row.clientAuth === 'private_key_jwt' ? `${apiOf(config, row.slug)}/jwks` : null,
    isReachable: answered(row.id) ?? row.isReachable,
    refusals24h: refusals,
    overage24h: overage,
  }))
}

/** Refuses `not_found`. */
export const readProvider = async (db: Reads, config: Config, providers: Pick<Providers, 'answered'>, id: number) =>
  (await readProviders(db, config, providers, id))[0] ?? refuse('not_found')

/** Refuses `not_found`. */
export async function lockProvider(tx: Tx, id: number) {
  await tx.selectFrom('signInProviders').select('id').where('id', '=', id).forUpdate().executeTakeFirst()
  return findById(tx, id)
}

/**
 * As `lockProvider`, without waiting: undefined while another command changes the provider, because that command may be waiting for this
 * one. Also undefined for a deleted provider.
 */
export async function lockUnlessChanging(tx: Tx, id: number) {
  const locked = await tx.selectFrom('signInProviders').select('id').where('id', '=', id).forNoKeyUpdate().skipLocked().executeTakeFirst()
  return locked && findProvider(tx, id)
}

export const countProviders = async (db: Reads) =>
  (await db.selectFrom('signInProviders').select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()).count

export const countIdentities = async (db: Reads, providerId: number) =>
  (
    await db
      .selectFrom('identities')
      .select(sql<number>`count(*)`.as('count'))
      .where('providerId', '=', providerId)
      .executeTakeFirstOrThrow()
  ).count

/** The next id, because secrets are encrypted for the id of their row. */
export async function nextId(tx: Tx) {
  const { rows } = await sql<{ id: number }>`select nextval(pg_get_serial_sequence('sign_in_providers', 'id'))::int as id`.execute(tx)
  return rows[0]!.id
}

type Columns = Omit<Updateable<Tables['signInProviders']>, 'id' | 'updatedAt'>

/** The columns for the fields in a body. */
export const columnsOf = ({ claims, require, groupRules: _, clientSecret: __, ...fields }: ProviderEdit): Columns => ({
  ...fields,
  ...(claims && { claims: JSON.stringify(claims) }),
  ...(require && { requirements: JSON.stringify(require) }),
})

/** Refuses `slug_taken`. */
export const insertProvider = (tx: Tx, row: Insertable<Tables['signInProviders']>) =>
  tx
    .insertInto('signInProviders')
    .values(row)
    .execute()
    .catch((error) => (brokenUnique(error) === 'provider_slug_taken' ? refuse('slug_taken') : Promise.reject(error)))

export const updateProvider = (tx: Tx, id: number, columns: Columns) =>
  tx
    .updateTable('signInProviders')
    .set({ ...columns, updatedAt: sql<Date>`clock_timestamp()` })
    .where('id', '=', id)
    .execute()

/** Unmarks the default provider, unless it is `except`, and returns it. */
export const dropDefault = (tx: Tx, except: number) =>
  tx
    .updateTable('signInProviders')
    .set({ isDefault: false, updatedAt: sql<Date>`clock_timestamp()` })
    .where('isDefault', '=', true)
    .where('id', '!=', except)
    .returning(['id', 'slug'])
    .execute()

export async function replaceRules(tx: Tx, providerId: number, rules: readonly GroupRule[]) {
  await tx.deleteFrom('providerGroupRules').where('providerId', '=', providerId).execute()
  if (rules.length)
    await sql`
      insert into provider_group_rules (provider_id, value, group_id, grants_admin)
      select ${providerId}::int, value, "groupId", coalesce("grantsAdmin", false)
      from jsonb_to_recordset(${JSON.stringify(rules)}::jsonb) as rule (value text, "groupId" int, "grantsAdmin" boolean)`.execute(tx)
}

/** Stores the metadata of an issuer as the last good copy; does nothing if the provider is gone or has another issuer. */
export const keepMetadata = (tx: Tx, { id, issuer }: { id: number; issuer: string }, metadata: Metadata) =>
  sql`
    insert into provider_states (provider_id, metadata, fetched_at)
    select id, ${JSON.stringify(metadata)}::jsonb, now() from sign_in_providers where id = ${id} and issuer = ${issuer} for key share
    on conflict (provider_id) do update set metadata = excluded.metadata, fetched_at = excluded.fetched_at,
      unreachable_since = null, told_at = null`.execute(tx)

/** Deletes the stored metadata and the reachability of a provider whose issuer, client or secret has changed. */
export const forgetState = (tx: Tx, providerId: number) => tx.deleteFrom('providerStates').where('providerId', '=', providerId).execute()

export const publicKeyOf = (publicKey: JsonWebKey) => ({ ...publicKey, kid: KEY_ID, use: 'sig', alg: 'ES256' })

const TELL_AFTER_MINUTES = 15

/** Marks providers that have not answered for a quarter of an hour as reported, and returns them. */
export async function noteSilent(tx: Tx) {
  const { rows } = await sql<{ id: number; nameAr: string; nameEn: string }>`
    update provider_states as state set told_at = now() from sign_in_providers as p
    where p.id = state.provider_id and p.is_active and told_at is null
      and unreachable_since <= now() - make_interval(mins => ${TELL_AFTER_MINUTES}::int)
    returning p.id, p.name_ar, p.name_en`.execute(tx)
  return rows
}
