/** Calls that several pages of the administration share: people, roles, permissions and apps, previews and the audit log. */
import { titleOf } from '../../../parts/show/title.ts'
import { resource } from '../../../platform/cache.ts'
import { answer, api, type Schemas } from '../../../platform/client.ts'
import { nameOf } from '../../../platform/language.ts'

export type Person = Schemas['PersonSummary']
export type Role = Schemas['RoleInList']
export type Permission = Schemas['Permission']
export type ListedPermission = Schemas['PermissionInList']
export type App = Schemas['AppInAdminList']
export type PlannedChange = Schemas['PlannedChange']

/** Small lists, loaded whole. */
export const roles = resource('/roles')
export const permissions = resource('/permissions')
export const apps = resource('/admin/apps')

/** The maximum number of suggestions. */
const MOST = 20

/** The title of a group of which the portal sent only the key; the key itself until the title is loaded, or if the key has changed. */
export function groupTitle({ groupId, groupName = '' }: { groupId?: number; groupName?: string }) {
  const group = resource('/groups', { query: { q: groupName, limit: MOST } }).data?.find(
    ({ id, name }) => id === groupId && name === groupName,
  )
  return group ? titleOf(group) : groupName
}

/** The people whose name, username or e-mail address contains the typed text. */
export const searchPeople = (typed: string): Promise<Person[]> =>
  answer(api.GET('/users', { params: { query: { q: typed.slice(0, 200), limit: MOST } } }))

/** The people with these ids, as far as they are loaded. */
export const peopleOf = (ids: readonly number[]): readonly Person[] =>
  ids.length > 0 ? (resource('/users', { query: { ids: [...ids].toSorted((one, other) => one - other).join() } }).data ?? []) : []

/** The groups whose name or description contains the typed text; the first groups if the text is empty. */
export const searchGroups = (typed: string) =>
  answer(api.GET('/groups', { params: { query: { ...(typed && { q: typed.slice(0, 200) }), limit: MOST } } }))

/** The people named by the lines of a pasted list, at most 500 lines a call. */
export const resolvePeople = (texts: string[]) => answer(api.POST('/users/resolve', { body: { texts } }))

/** Previews the effect of changes on people's roles and apps. */
export const foresee = (changes: PlannedChange[], signal?: AbortSignal) => answer(api.POST('/admin/impact', { body: { changes }, signal }))

export type Target = 'user' | 'group' | 'role' | 'permission' | 'app' | 'webhook'
/** The latest entry of the audit log about a record. */
export async function lastChange(targetType: Target, targetId: number) {
  const { entries } = await answer(api.GET('/admin/audit-logs', { params: { query: { targetType, targetId, limit: 1 } } }))
  return entries[0]
}

/** The name of the person who last changed a record, or ''. */
export async function lastEditor(targetType: Target, targetId: number) {
  const actor = (await lastChange(targetType, targetId))?.actor
  return actor ? nameOf(actor) : ''
}
