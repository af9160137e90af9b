import { meaningOf } from '../../../../parts/show/failures.ts'
import { invalidate, resource, setCached } from '../../../../platform/cache.ts'
import { answer, api, ifMatch, type Schemas, versionOf } from '../../../../platform/client.ts'
import { inLanguage } from '../../../../platform/language.ts'
import { roles } from '../directory.ts'

export type Role = Schemas['Role']

export const roleOf = (id: number) => resource('/roles/{id}', { path: { id } })
export const permissionsOf = (id: number) => resource('/roles/{id}/permissions', { path: { id } })
export const holdersOf = (id: number, q: string, offset: number) =>
  resource('/roles/{id}/holders', { path: { id }, query: { effective: true, ...(q && { q }), limit: 50, offset } })
export const groupsOf = (id: number, offset: number) =>
  resource('/roles/{id}/dependents/groups', { path: { id }, query: { limit: 50, offset } })

export interface HistoryFilter {
  actorUserId?: number
  from?: string
  to?: string
}
export const historyOf = (id: number, filter: HistoryFilter, offset: number) =>
  resource('/roles/{id}/audit', { path: { id }, query: { ...filter, limit: 25, offset } })

export interface Texts {
  name: string
  descriptionAr: string
  descriptionEn: string
}
export const noTexts: Texts = { name: '', descriptionAr: '', descriptionEn: '' }
export const textsOf = ({ name, descriptionAr, descriptionEn }: Role): Texts => ({
  name,
  descriptionAr: descriptionAr ?? '',
  descriptionEn: descriptionEn ?? '',
})
const bodyOf = ({ name, descriptionAr, descriptionEn }: Partial<Texts>) => ({
  ...(name !== undefined && { name: name.trim() }),
  ...(descriptionAr !== undefined && { descriptionAr: descriptionAr.trim() || null }),
  ...(descriptionEn !== undefined && { descriptionEn: descriptionEn.trim() || null }),
})

/** Saves the texts of a role at the given version; returns the new texts. */
export async function saveTexts(id: number, changed: Partial<Texts>, version: string | undefined) {
  const path = { path: { id } }
  const { data, response } = await api.PATCH('/roles/{id}', { params: path, body: bodyOf(changed), headers: ifMatch(version) })
  setCached('/roles/{id}', data!, path, response)
  invalidate('/roles', '/roles/{id}/audit')
  return { from: textsOf(data!), version: versionOf(response) }
}

export interface Granted {
  ids: number[]
}
export const grantedIn = (permissions: readonly { id: number }[]): Granted => ({ ids: permissions.map(({ id }) => id) })

/** Replaces the permissions of a role at the given version; returns the new permissions. */
export async function savePermissions(id: number, permissionIds: number[], version: string | undefined) {
  const path = { path: { id } }
  const { data, response } = await api.PUT('/roles/{id}/permissions', { params: path, body: { permissionIds }, headers: ifMatch(version) })
  setCached('/roles/{id}/permissions', data!, path, response)
  invalidate('/roles', '/roles/{id}/audit', '/permissions/{id}/dependents/roles')
  return { from: grantedIn(data!), version: versionOf(response) }
}

export async function createRole(texts: Texts) {
  const role = await answer(api.POST('/roles', { body: { ...bodyOf(texts), name: texts.name.trim() } }))
  invalidate('/roles')
  return role
}

export async function deleteRole(id: number) {
  await answer(api.DELETE('/roles/{id}', { params: { path: { id } } }))
  invalidate('/roles')
}

/** The people and groups that have a role directly. */
export interface Holders {
  userIds: number[]
  groupIds: number[]
}

/** The most people that one call changes. */
const AT_ONCE = 5000

/** Moves holders from one role to another, each holder atomically. Returns the number of refused holders, and one of the reasons. */
export async function moveHolders({ userIds, groupIds }: Holders, from: Role, to: Role, report: (moved: number) => void) {
  let [moved, refused] = [0, 0]
  let why = ''
  for (let first = 0; first < userIds.length; first += AT_ONCE) {
    const ids = userIds.slice(first, first + AT_ONCE)
    const set = { addRoleNames: [to.name], removeRoleNames: [from.name] }
    const { failed } = await answer(api.POST('/users/bulk-change', { body: { ids, set } }))
    refused += failed.length
    if (failed[0]) why = inLanguage(failed[0].messageAr, failed[0].messageEn)
    moved += ids.length
    report(moved)
  }
  for (const id of groupIds) {
    const roles = { add: [to.id], remove: [from.id] }
    await answer(api.PATCH('/groups/{id}', { params: { path: { id } }, body: { roles } })).catch((failure) => {
      refused++
      why = meaningOf(failure)
    })
    moved++
    report(moved)
  }
  return { refused, why }
}

/** Loads all people and groups that have a role directly. */
export async function allHolders(id: number): Promise<Holders> {
  const path = { path: { id } }
  const all = async (
    pageOf: (query: { limit: number; offset: number }) => Promise<{ items: { id: number }[]; nextOffset: number | null }>,
  ) => {
    const ids: number[] = []
    for (let offset: number | null = 0; offset !== null; ) {
      const page = await pageOf({ limit: 200, offset })
      ids.push(...page.items.map((item) => item.id))
      offset = page.nextOffset
    }
    return ids
  }
  return {
    userIds: await all((query) => answer(api.GET('/roles/{id}/dependents/users', { params: { ...path, query } }))),
    groupIds: await all((query) => answer(api.GET('/roles/{id}/dependents/groups', { params: { ...path, query } }))),
  }
}

export function refreshLists(id: number) {
  invalidate(
    '/roles',
    '/roles/{id}/audit',
    '/roles/{id}/holders',
    '/roles/{id}/dependents/users',
    '/roles/{id}/dependents/groups',
    '/users',
    '/groups',
  )
  roleOf(id).refresh()
  roles.refresh()
}
