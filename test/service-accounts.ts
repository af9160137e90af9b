/** Makes service accounts without HTTP calls. */
import { give } from '../server/access/grants/queries.ts'
import { insertProgram } from '../server/people/service-accounts/queries.ts'
import { findRole } from '../server/people/users/queries.ts'
import { changed } from '../server/platform/changes/outcome.ts'
import type { TestPortal } from './portal.ts'

/** Adds a service account as `POST /service-accounts` would. */
export async function addProgram(
  { instance }: TestPortal,
  username: string,
  { roles = [], groupIds = [], contact = null }: { roles?: readonly string[]; groupIds?: readonly number[]; contact?: number | null } = {},
) {
  const id = await instance.transact(
    null,
    async (tx) => {
      const id = await insertProgram(tx, { username, displayNameEn: `The ${username}`, isActive: true }, contact)
      const roleIds = await Promise.all(roles.map(async (name) => (await findRole(tx, name))!.id))
      await give(tx, 'role', { userIds: [id], ids: roleIds })
      await give(tx, 'group', { userIds: [id], ids: groupIds })
      const facts = { username, email: `${username}@service.invalid`, roleIds, groupIds: [...groupIds] }
      return changed(id, { kind: 'user.created', targetId: id, facts })
    },
    { locks: 'access' },
  )
  return { id, username }
}
