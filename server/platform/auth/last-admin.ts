/** Who may do what changes one at a time, so that the rules about administrators hold under concurrency. */
import type { Reads, Tx } from '../database/db.ts'
import { refuse } from '../refusal.ts'

/**
 * The epoch row moves with every such change; taken before any other lock, it keeps them in one order. What the rules ask is
 * asked by statements after it.
 */
export async function lockAccess(tx: Tx) {
  await tx.selectFrom('accessEpoch').select('value').forUpdate().executeTakeFirstOrThrow()
}

/** Ids of the active people with the role `admin`, directly or through a group. */
export const activeAdministrators = (db: Reads) =>
  db
    .selectFrom('effectiveRoles')
    .innerJoin('users', 'users.id', 'effectiveRoles.userId')
    .select('users.id')
    // A join with roles would keep the role's id out of the view, and so read every membership there is.
    .where('effectiveRoles.roleId', '=', (eb) => eb.selectFrom('roles').select('roles.id').where('roles.name', '=', 'admin'))
    .where('users.isActive', '=', true)

/** Refuses `forbidden` when the person has been demoted or deactivated since they were authenticated. */
export async function requireAdministrator(tx: Tx, userId: number) {
  const found = await activeAdministrators(tx).where('users.id', '=', userId).executeTakeFirst()
  if (!found) refuse('forbidden')
}

/** Refuses `last_admin` when no active administrator is left. */
export async function keepAnAdministrator(tx: Tx) {
  const left = await activeAdministrators(tx).limit(1).executeTakeFirst()
  if (!left) refuse('last_admin')
}
