import { type Selectable, sql } from 'kysely'
import { nameAsListed } from '../../people/users/queries.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { paged } from '../../platform/http/lists.ts'
import type { Page } from '../../platform/http/page.ts'
import type { Language, Tables } from '../../platform/tables.ts'
import type { Readiness } from './rules.ts'
import type { SignInSettings } from './shapes.ts'

const columns = [
  'passwords',
  'passkeys',
  'graceDays',
  'confirmAdministration',
  'tokenMaxDays',
  'personalTokens',
  'trustDevices',
  'updatedAt',
] as const
const roleNames = sql<string[]>`array(
  select roles.name from second_factor_roles join roles on roles.id = second_factor_roles.role_id order by roles.name collate "C")`

type Row = Pick<Selectable<Tables['signInSettings']>, (typeof columns)[number]> & { secondFactorRoles: string[] }
/** Omits `updatedAt` if the settings have never changed. */
const shown = ({ updatedAt, ...settings }: Row) => ({ ...settings, ...(updatedAt && { updatedAt }) }) as SignInSettings

const settingsIn = (db: Reads) => db.selectFrom('signInSettings').select([...columns, roleNames.as('secondFactorRoles')])

export const readSignInSettings = async (db: Reads) => shown(await settingsIn(db).executeTakeFirstOrThrow())

export async function lockSignInSettings(tx: Tx) {
  await tx.selectFrom('signInSettings').select('onlyRow').forNoKeyUpdate().executeTakeFirstOrThrow()
  return readSignInSettings(tx)
}

/** Plain SQL: with a parameter, the planner would not use the index of exceptions. */
const isException = sql<boolean>`users.is_exception`

/** The facts that decide whether a provider can be required; `isProven` is about this session. */
export async function readReadiness(db: Reads, sessionId: number) {
  const exceptions = await db
    .selectFrom('users')
    .innerJoin('lastingAdministrators', 'lastingAdministrators.userId', 'users.id')
    .select(['users.id', 'users.username', 'users.displayNameAr', 'users.displayNameEn', 'users.hasExceptionPassword as hasPassword'])
    .select(sql<boolean>`has_factor(users.id)`.as('hasFactor'))
    .where(isException)
    .where('users.kind', '=', 'person')
    .orderBy('users.id')
    .execute()
  const { isProven } = await db.selectNoFrom(sql<boolean>`has_proven_provider(${sessionId}::int)`.as('isProven')).executeTakeFirstOrThrow()
  return { isProven, exceptions } satisfies Readiness
}

export const countExceptions = async (db: Reads) =>
  (
    await db
      .selectFrom('users')
      .select(sql<number>`count(*)`.as('count'))
      .where(isException)
      .where('kind', '=', 'person')
      .executeTakeFirstOrThrow()
  ).count

/** Marks a person as an exception. Only a password chosen after the mark counts. The caller must have locked the person. */
export const markException = (tx: Tx, id: number) =>
  tx.updateTable('users').set({ isException: true, hasExceptionPassword: false }).where('id', '=', id).execute()

/** Whether the person is an active administrator whose role has no end. */
export const isLastingAdministrator = async (db: Reads, id: number) =>
  (await db.selectFrom('lastingAdministrators').select('userId').where('userId', '=', id).executeTakeFirst()) !== undefined

/** The exceptions who are no longer active administrators whose role has no end. */
export const findStrayExceptions = async (tx: Tx) =>
  (
    await tx
      .selectFrom('users')
      .select('id')
      .where(isException)
      .where('kind', '=', 'person')
      .where('id', 'not in', tx.selectFrom('lastingAdministrators').select('userId'))
      .execute()
  ).map(({ id }) => id)

export const unmarkExceptions = (tx: Tx, ids: readonly number[]) =>
  tx
    .updateTable('users')
    .set({ isException: false, hasExceptionPassword: false })
    .where('id', '=', sql<number>`any(${ids}::int[])`)
    .returning(['id', 'username'])
    .execute()

/** Whether a person may sign in by password: a column or a condition for a select from `users`. */
export const passwordsAreOpen = sql<boolean>`(users.is_exception or (select passwords from sign_in_settings) = 'everyone')`

export const mayUsePassword = async (db: Reads, id: number) =>
  (await db.selectFrom('users').select(passwordsAreOpen.as('isOpen')).where('id', '=', id).executeTakeFirst())?.isOpen === true

/** Whether people may create their own accounts: never while they must sign in through a provider. */
export const isRegistrationOpen = async (db: Reads) =>
  (
    await db
      .selectFrom('settings')
      .select(sql<boolean>`registration_open and (select passwords from sign_in_settings) = 'everyone'`.as('isOpen'))
      .executeTakeFirstOrThrow()
  ).isOpen

/** When a role of the person began to demand a second factor, and when the grace ends; null without such a role. */
export async function readDuty(db: Reads, userId: number) {
  const { rows } = await sql<{ since: Date; until: Date }>`
    select must_enrol_at as since, must_enrol_at + make_interval(days => (select grace_days from sign_in_settings)) as until
    from user_access where user_id = ${userId} and must_enrol_at is not null and has_duty(user_id)`.execute(db)
  return rows[0] ?? null
}

/** SQL: the sessions that began by a password, without the session `except` and those of exceptions. */
export const passwordSessions = (except: number) => sql`
  kind = 'browser' and not by_passkey and provider_id is null and id <> ${except}
  and user_id in (select id from users where kind = 'person' and not is_exception)`

/** The ids of the existing roles with these names, by name. */
export async function roleIdsOf(tx: Tx, names: readonly string[]) {
  const rows = await tx.selectFrom('roles').select(['id', 'name']).where('name', '=', sql<string>`any(${names}::text[])`).execute()
  return new Map(rows.map(({ id, name }) => [name, id]))
}

export async function saveSignInSettings(tx: Tx, { secondFactorRoles, ...fields }: Partial<SignInSettings>, roleIds?: readonly number[]) {
  await tx
    .updateTable('signInSettings')
    .set({ ...fields, updatedAt: sql<Date>`clock_timestamp()` })
    .execute()
  if (roleIds) {
    await tx.deleteFrom('secondFactorRoles').where('roleId', '!=', sql<number>`all(${roleIds}::int[])`).execute()
    await sql`insert into second_factor_roles select unnest(${roleIds}::int[]) on conflict do nothing`.execute(tx)
  }
  return readSignInSettings(tx)
}

interface WithoutFactor extends Page {
  roleIds: readonly number[]
  graceDays: number
}

/**
 * The active holders of one of these roles who have no second factor, with the moment at which the portal closes to them; soonest first. If
 * a duty has not begun, its grace is counted from now.
 */
export async function pageWithoutFactor(db: Reads, { roleIds, graceDays, ...page }: WithoutFactor, language: Language) {
  const found = db
    .selectFrom('users as u')
    .innerJoin('userAccess as a', 'a.userId', 'u.id')
    .where('u.isActive', '=', true)
    .where('u.kind', '=', 'person')
    .where('u.id', 'in', (eb) => eb.selectFrom('effectiveRoles').select('userId').where('roleId', '=', sql<number>`any(${roleIds}::int[])`))
    .where(sql<boolean>`not has_factor(u.id)`)
  const until = sql<Date>`coalesce(a.must_enrol_at, now()) + make_interval(days => ${graceDays}::int)`
  const listed = found
    .select(['u.id', 'u.username', 'u.displayNameAr', 'u.displayNameEn', 'u.avatarUrl', until.as('until')])
    .orderBy('until')
    .orderBy(sql.raw(nameAsListed[language]))
    .orderBy('u.id')
  const { items, ...rest } = await paged(listed, page)
  return { ...rest, items: items.map(({ until, ...person }) => ({ person, until })) }
}
