import { sql } from 'kysely'
import { Actor } from '../../platform/auth/actor.ts'
import { permissionsOf, rolesOf } from '../../platform/auth/held.ts'
import { refuseAdministeringProgram } from '../../platform/auth/last-admin.ts'
import type { Reads, Tx } from '../../platform/database/db.ts'
import { quotaExceeded, refuse, refuseField } from '../../platform/errors/refusal.ts'
import { countOf, partIn } from '../../platform/http/lists.ts'
import type { Page } from '../../platform/http/page.ts'
import { blockCommandsOf, insertAccount, lockExistingPeople } from '../users/queries.ts'
import { emailOf, MOST_ACCOUNTS } from './rules.ts'

/** The kind is a literal, because the planner does not use the index of service accounts for a parameter. */
const programs = (db: Reads) =>
  db
    .selectFrom('users')
    .where(sql<boolean>`users.kind = 'service'`)
    // The account of a source is managed with that source.
    .where(sql<boolean>`not exists (select from provisioning_sources where user_id = users.id)`)
const shown = (db: Reads) =>
  programs(db)
    .leftJoin('serviceAccounts', 'serviceAccounts.userId', 'users.id')
    .select(['users.id', 'username', 'displayNameAr as nameAr', 'displayNameEn as nameEn', 'contactUserId', 'isActive', 'users.createdAt'])
    .select([
      sql<string[]>`array(
        select roles.name from user_roles join roles on roles.id = role_id where user_roles.user_id = users.id order by roles.name)`.as(
        'roleNames',
      ),
      sql<number>`(
        select count(*) from sessions
        where sessions.user_id = users.id and sessions.kind = 'token' and ended_at is null and expires_at > now())`.as('tokenCount'),
    ])

/** All service accounts, by username. */
export const listPrograms = (db: Reads, part: Page) => partIn(shown(db).orderBy('usernameKey'), part).execute()
export const countPrograms = (db: Reads) => countOf(programs(db).select('users.id'))

/** Refuses `not_found`. */
export const readProgram = async (db: Reads, id: number) =>
  (await shown(db).where('users.id', '=', id).executeTakeFirst()) ?? refuse('not_found')

/** Locks a service account and blocks its commands. Refuses `not_found` for any other account. */
export async function lockProgram(tx: Tx, id: number) {
  // Checked before locking: if a person named their own id in two calls at once, the calls would deadlock.
  if (!(await programs(tx).where('users.id', '=', id).select('users.id').executeTakeFirst())) refuse('not_found')
  await blockCommandsOf(tx, id)
  return (await programs(tx).where('users.id', '=', id).selectAll().forNoKeyUpdate().executeTakeFirst()) ?? refuse('not_found')
}
/** Locks a service account so that no row that refers to it can be written until the transaction ends. */
export const lockProgramWhole = async (tx: Tx, id: number) =>
  (await programs(tx).where('users.id', '=', id).selectAll().forUpdate().executeTakeFirst()) ?? refuse('not_found')

/** A service account with its rights, as the actor of a request. */
export async function readRightsOf(tx: Tx, { id, username }: { id: number; username: string }) {
  const { rows } = await sql<{ roles: string[]; permissions: string[] }>`
    select ${sql.raw(rolesOf(String(id)))} as roles, ${sql.raw(permissionsOf(String(id)))} as permissions`.execute(tx)
  const { roles, permissions } = rows[0]!
  const access = { roles, permissions: new Set(permissions), groups: [], groupIds: new Set<number>() }
  return new Actor({ id, kind: 'service', username, language: 'ar', access, version: 0, epoch: 0, edition: 0 })
}

interface Names {
  isActive: boolean
  displayNameAr?: string | null
  displayNameEn?: string | null
}
/** Refuses `quota_exceeded`, `username_taken`, and `unknown_ids` for the contact. */
export async function insertProgram(tx: Tx, { username, ...names }: Names & { username: string }, contactUserId: number | null) {
  const used = await countPrograms(tx)
  if (used >= MOST_ACCOUNTS) throw quotaExceeded({ quota: 'service_accounts', used, allowed: MOST_ACCOUNTS })
  const id = await insertAccount(tx, { username, email: emailOf(username), passwordHash: null, kind: 'service', ...names }, 409)
  // After the lock of the name: docs/lock-order.md.
  if (contactUserId !== null) await lockExistingPeople(tx, [contactUserId])
  await tx.insertInto('serviceAccounts').values({ userId: id, contactUserId }).execute()
  return id
}

export const setContact = (tx: Tx, userId: number, contactUserId: number | null) =>
  tx.updateTable('serviceAccounts').set({ contactUserId }).where('userId', '=', userId).execute()

export const findContact = async (tx: Tx, userId: number) =>
  (await tx.selectFrom('serviceAccounts').select('contactUserId').where('userId', '=', userId).executeTakeFirst())?.contactUserId ?? null

/** The ids of the roles with these names. Refuses `validation_failed` for an unknown one, and `grants_admin` for `admin`. */
export async function roleIdsNamed(tx: Tx, names: readonly string[]) {
  const { rows: roles } = await sql<{ id: number | null; name: string }>`
    select roles.id, roles.name from unnest(${names}::text[]) with ordinality as given (name, place)
      left join roles on lower(roles.name) = lower(given.name) order by place`.execute(tx)
  const unknown = roles.findIndex(({ id }) => id === null)
  if (unknown >= 0) refuseField(`roleNames.${unknown}`, 'exists')
  if (roles.some(({ name }) => name === 'admin')) refuseAdministeringProgram()
  return roles.map(({ id }) => id!)
}
