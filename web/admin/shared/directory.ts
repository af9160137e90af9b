/** Calls that several pages of the administration share: people, roles, permissions and apps, previews and the audit log. */
import { titleOf } from '../../parts/title.ts'
import { resource } from '../../platform/cache.ts'
import { answer, api, type Schemas } from '../../platform/client.ts'
import { nameOf } from '../../platform/language.ts'

export type Person = Schemas['PersonSummary']
export type Role = Schemas['RoleInList']
export type Permission = Schemas['Permission']
export type ListedPermission = Schemas['PermissionInList']
export type App = Schemas['AppInAdminList']
export type PlannedChange = Schemas['PlannedChange']

/** Small lists, read whole. */
export const roles = resource('/roles')
export const permissions = resource('/permissions')
export const apps = resource('/admin/apps')

/** So many are proposed. */
const MOST = 20

/** The name that people read of a group of which the portal only said the key; the key until that is known. */
export function groupTitle({ groupId, groupName = '' }: { groupId?: number; groupName?: string }) {
  const group = resource('/groups', { query: { q: groupName, limit: MOST } }).data?.find(({ id }) => id === groupId)
  return group ? titleOf(group) : groupName
}

/** The people whose names, username or e-mail address have what was typed. */
export const searchPeople = (typed: string): Promise<Person[]> =>
  answer(api.GET('/users', { params: { query: { q: typed.slice(0, 200), limit: MOST } } }))

/** The people whom the lines of a pasted list name, at most 500 lines at once. */
export const resolvePeople = (texts: string[]) => answer(api.POST('/users/resolve', { body: { texts } }))

/** Previews the effect of changes on people's roles and apps. */
export const foresee = (changes: PlannedChange[], signal?: AbortSignal) => answer(api.POST('/admin/impact', { body: { changes }, signal }))

export type Target = 'user' | 'group' | 'role' | 'permission' | 'app'
/** The last entry of the audit log about a record. */
export async function lastChange(targetType: Target, targetId: number) {
  const { entries } = await answer(api.GET('/admin/audit-logs', { params: { query: { targetType, targetId, limit: 1 } } }))
  return entries[0]
}

/** The name of who changed a record last, or ''. */
export async function lastEditor(targetType: Target, targetId: number) {
  const actor = (await lastChange(targetType, targetId))?.actor
  return actor ? nameOf(actor) : ''
}
