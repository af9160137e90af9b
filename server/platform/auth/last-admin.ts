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

/** Their ids. */
export const findAdministrators = async (db: Reads) => (await activeAdministrators(db).execute()).map(({ id }) => id)

export const isAnyAdministrator = async (db: Reads) => (await activeAdministrators(db).limit(1).executeTakeFirst()) !== undefined

/** Refuses `forbidden` when the person was demoted or deactivated after authentication. */
export async function requireAdministrator(tx: Tx, userId: number) {
  const found = await activeAdministrators(tx).where('users.id', '=', userId).executeTakeFirst()
  if (!found) refuse('forbidden')
}

/** Refuses `last_admin` when no active administrator is left. */
export async function keepAnAdministrator(tx: Tx) {
  if (!(await isAnyAdministrator(tx))) refuse('last_admin')
}
