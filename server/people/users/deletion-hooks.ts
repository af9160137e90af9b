import { sql } from 'kysely'
import { takeAll } from '../../access/grants/queries.ts'
import { endsOf, rolesExpired } from '../../access/grants/rules.ts'
import { isOfPerson } from '../../platform/auth/held.ts'
import { deletionHook } from '../../platform/changes/deletion-hooks.ts'
import type { Change } from '../../platform/changes/outcome.ts'
import type { Tx } from '../../platform/database/db.ts'

/** Takes a role from service accounts before it is deleted. People who hold it prevent its deletion; grants that have ended do not. */
async function takeFromPrograms(tx: Tx, roleId: number) {
  const { taken, ended } = await takeAll(tx, 'role', { id: roleId })
  const { name } = await tx.selectFrom('roles').select('name').where('id', '=', roleId).executeTakeFirstOrThrow()
  const removed = taken.map(
    (grant): Change => ({
      kind: 'user.role_removed',
      targetId: grant.userId,
      facts: { roleId, roleName: name, ends: endsOf('id', { taken: [grant] }) },
    }),
  )
  return [...rolesExpired(ended), ...removed]
}

export const userDeletionHooks = [
  deletionHook({
    of: 'users',
    columns: ['direct_roles.user_id', 'user_access.user_id', 'username_looks.user_id', 'last_seen.user_id'],
  }),
  deletionHook({
    of: 'roles',
    columns: ['direct_roles.role_id'],
    counts: { userCount: sql<number>`(select count(*) from user_roles where role_id = roles.id and ${isOfPerson})` },
    leaves: takeFromPrograms,
  }),
]
