import { invalidate, invalidateRecord, resource, setCached } from '../../../platform/cache.ts'
import { answer, api, ifMatch, type Schemas, versionOf } from '../../../platform/client.ts'
import { Refusal } from '../../../platform/refusal.ts'

export type Profile = Schemas['UserProfile']

export const personOf = (id: number) => resource('/users/{id}', { path: { id } })
/** The roles, permissions and apps of a person: now or, with `at`, at that moment. */
export const accessOf = (id: number, at?: string) => resource('/users/{id}/effective-access', { path: { id }, query: at ? { at } : {} })
/** A person's row in the list of people. Only the list counts the records that they own. */
export const listedOf = (id: number) => resource('/users', { query: { ids: String(id) } })
export const sessionsOf = (id: number) => resource('/users/{id}/sessions', { path: { id } })
export const ordersOf = (id: number, offset: number) =>
  resource('/users/{id}/dependents/orders', { path: { id }, query: { limit: PAGE, offset } })
export const changesOf = (id: number, offset: number, limit = PAGE) =>
  resource('/admin/audit-logs', { query: { targetType: 'user', targetId: id, limit, offset } })
export const setsOf = (id: number, offset: number) => resource('/users/{id}/audit', { path: { id }, query: { limit: PAGE, offset } })
export const changesBy = (id: number, offset: number) => resource('/admin/audit-logs', { query: { actorUserId: id, limit: PAGE, offset } })

/** Rows per page. */
const PAGE = 25

export const roles = resource('/roles')
export const apps = resource('/admin/apps')

/** Reloads everything that shows a person. */
export function personChanged(id: number) {
  for (const path of ['/users/{id}', '/users/{id}/effective-access', '/users/{id}/sessions', '/users/{id}/audit'] as const)
    invalidateRecord(path, id)
  invalidate('/users', '/admin/audit-logs')
}

export const managerOf = (id: number) => resource('/users/{id}/manager', { path: { id } })
/** Replaces the manager of a person, unless somebody has changed the manager since `version`. Returns the new version. */
export async function setManager(id: number, userId: number | null, version: string | undefined) {
  const path = { path: { id } }
  const shown = managerOf(id)
  try {
    const { data, response } = await api.PUT('/users/{id}/manager', { params: path, body: { userId }, headers: ifMatch(version) })
    setCached('/users/{id}/manager', data!, path, response)
    personChanged(id)
    return versionOf(response)
  } catch (failure) {
    await shown.refresh()
    throw failure
  }
}

export async function changePerson(id: number, body: Omit<Schemas['UserChanges'], 'avatarUrl'>, version: string | undefined) {
  const { data, response } = await api.PATCH('/users/{id}', { params: { path: { id } }, body, headers: ifMatch(version) })
  personChanged(id)
  return { person: data!, version: versionOf(response) }
}

/** The roles that a person has directly; empty until the list of all roles is loaded. */
export const directRolesOf = ({ roleIds }: Profile) => roles.data?.filter(({ id }) => roleIds.includes(id)) ?? []

/** Adds and removes groups and roles. Throws the refusal. */
export async function changeSets(id: number, set: Schemas['UsersSet']) {
  const { failed } = await answer(api.POST('/users/bulk-change', { body: { ids: [id], set } }))
  personChanged(id)
  if (failed[0]) throw new Refusal(409, { ...failed[0] })
}

/** Removes a picture. Typed as `object`, because the client's types leave out a field that can only be null. */
const noPicture: object = { avatarUrl: null }
export const removePicture = (id: number) => changePerson(id, noPicture, undefined)

export const endSessions = (id: number) => answer(api.DELETE('/users/{id}/sessions', { params: { path: { id } } }))
