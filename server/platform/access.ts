/** The rules about who may administer hold under concurrency: such changes take turns. */
import type { Tx } from './db.ts'
import { refuse } from './refusal.ts'

/**
 * Called first by every change of roles, grants, memberships or activity: they all move the epoch row, so taking it before any
 * other lock keeps them in one order.
 */
export async function lockAccess(tx: Tx) {
  await tx.selectFrom('accessEpoch').select('value').forUpdate().executeTakeFirstOrThrow()
}

/** Called after what could have removed one. Refuses `last_admin` when no active administrator is left. */
export async function keepAnAdministrator(tx: Tx) {
  const left = await tx
    .selectFrom('effectiveRoles')
    .innerJoin('users', 'users.id', 'effectiveRoles.userId')
    .select('users.id')
    // A join with roles would keep the role's id out of the view, and so read every membership there is.
    .where('effectiveRoles.roleId', '=', (eb) => eb.selectFrom('roles').select('roles.id').where('roles.name', '=', 'admin'))
    .where('users.isActive', '=', true)
    .limit(1)
    .executeTakeFirst()
  if (!left) refuse('last_admin')
}
