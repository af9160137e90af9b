/** When the memberships and direct roles of a person end. */
import { resource } from '../../../platform/cache.ts'
import { accessOf, type Profile } from './data.ts'

/** The key of the group of all accounts, which never ends. */
const EVERYONE = 'Everyone'

/** The ends by id of the group or role, as far as they are loaded; null: without an end. */
export function endsOf({ id, groups }: Profile) {
  const access = accessOf(id).data
  const [ofGroups, ofRoles] = [new Map<number, string | null>(), new Map<number, string | null>()]
  const note = ({ groupId, expiresAt }: { groupId?: number; expiresAt: string | null }) => {
    if (groupId !== undefined) ofGroups.set(groupId, expiresAt)
  }
  for (const role of access?.roles ?? [])
    for (const source of role.from) {
      note(source)
      if (source.via === 'direct') ofRoles.set(role.id, source.expiresAt)
    }
  for (const app of access?.apps ?? []) for (const reason of app.reasons) note(reason)
  // A group that gives no roles and no apps is in no list of sources, so load the end from the group.
  if (access)
    for (const group of groups)
      if (!ofGroups.has(group.id) && group.name !== EVERYONE) {
        const ends = resource('/groups/{id}', { path: { id: group.id } }).data?.memberEnds
        note({ groupId: group.id, expiresAt: ends?.find(({ userId }) => userId === id)?.expiresAt ?? null })
      }
  return { groups: ofGroups, roles: ofRoles }
}
