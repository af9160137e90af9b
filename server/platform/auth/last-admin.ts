/** Changes of access run one at a time, so that the rules about administrators hold under concurrency. */
import { sql } from 'kysely'
import type { Reads, Tx } from '../database/db.ts'
import { refuse } from '../errors/refusal.ts'

/**
 * Locks the epoch, which every change of access increases. Take it before any other lock: it serialises these changes, and later statements
 * see the result of the previous one.
 */
export async function lockAccess(tx: Tx) {
  await tx.selectFrom('accessEpoch').select('value').forUpdate().executeTakeFirstOrThrow()
}

/**
 * Waits for all running commands and lets none begin until the transaction ends. Called after the work of a change of access, so that other
 * commands wait as briefly as possible.
 */
export const blockCommands = (tx: Tx) => sql`select pg_advisory_xact_lock(hashtext('access'), 0)`.execute(tx)

/** The active people with the role `admin`, directly or through a group. */
const activeAdministrators = (db: Reads) =>
  db
    .selectFrom('effectiveRoles')
    .innerJoin('users', 'users.id', 'effectiveRoles.userId')
    .select('users.id')
    // A join with roles would keep the role's id from being pushed into the view, which would then read every membership.
    .where('effectiveRoles.roleId', '=', (eb) => eb.selectFrom('roles').select('roles.id').where('roles.name', '=', 'admin'))
    .where('users.isActive', '=', true)
    .where('users.kind', '=', 'person')

/** Their ids. */
export const findAdministrators = async (db: Reads) => (await activeAdministrators(db).execute()).map(({ id }) => id)

/** The ids of the active people who hold the role `admin` without an end. */
export const findLastingAdministrators = async (db: Reads) =>
  (await db.selectFrom('lastingAdministrators').select('userId').execute()).map(({ userId }) => userId)

export const isAnyLastingAdministrator = async (db: Reads) =>
  (await db.selectFrom('lastingAdministrators').select('userId').limit(1).executeTakeFirst()) !== undefined

/**
 * Who holds the role `admin` until when, while administrators must confirm before they give or take it, or if the caller `isToken`, which
 * never may; null otherwise. An end takes the role, too, if not at once.
 */
export async function administratorsIfGuarded(tx: Tx, isToken: boolean) {
  const admin = sql`(select id from roles where name = 'admin')`
  const { rows } = await sql<{ held: string[] | null }>`
    select case when confirm_administration or ${isToken} then array(
      select user_id || ' until ' || max(coalesce(expires_at, 'infinity')) from (
        select user_id, expires_at from direct_roles where role_id = ${admin}
        union all
        select user_id, expires_at from memberships where group_id in (select group_id from group_roles where role_id = ${admin})) as held
      where expires_at is null or expires_at > statement_timestamp() group by user_id order by user_id) end as held
    from sign_in_settings`.execute(tx)
  return rows[0]!.held
}

/** Refuses `forbidden` when the person was demoted or deactivated after authentication. */
export async function requireAdministrator(tx: Tx, userId: number) {
  const found = await activeAdministrators(tx).where('users.id', '=', userId).executeTakeFirst()
  if (!found) refuse('forbidden')
}

const PROGRAM = 'A service account cannot have the role admin, neither directly nor through a group.'
const programAdministers = { error: PROGRAM, messageAr: 'لا يُمنح حساب خدمة دور المدير، لا مباشرة ولا من خلال مجموعة.', messageEn: PROGRAM }
export const refuseAdministeringProgram = () => refuse('grants_admin', { body: programAdministers })

/** Refuses `grants_admin` when a service account has the role `admin`, directly or through a group. */
export async function keepProgramsFromAdministering(tx: Tx) {
  const { rows } = await sql`
    select from users where kind = 'service' and (
      exists (select from user_roles as own where own.user_id = users.id and own.role_id = (select id from roles where name = 'admin'))
      or exists (
        select from group_users as own join group_roles using (group_id)
        where own.user_id = users.id and role_id = (select id from roles where name = 'admin')))
    limit 1`.execute(tx)
  if (rows.length) refuseAdministeringProgram()
}

/** Refuses `last_admin` when no active administrator without an end is left. */
export async function keepAnAdministrator(tx: Tx) {
  if (!(await isAnyLastingAdministrator(tx))) refuse('last_admin')
}
