import { invalidate, resource, tell } from '../../../platform/cache.ts'
import { answer, api, ifMatch, type Schemas, versionOf } from '../../../platform/client.ts'
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

/** Saves the texts of a role of that version; answers them as they are now. */
export async function saveTexts(id: number, changed: Partial<Texts>, version: string | undefined) {
  const path = { path: { id } }
  const { data, response } = await api.PATCH('/roles/{id}', { params: path, body: bodyOf(changed), headers: ifMatch(version) })
  tell('/roles/{id}', data!, path, response)
  invalidate('/roles', '/roles/{id}/audit')
  return { from: textsOf(data!), version: versionOf(response) }
}

export interface Granted {
  ids: number[]
}
export const grantedIn = (permissions: readonly { id: number }[]): Granted => ({ ids: permissions.map(({ id }) => id) })

/** Replaces the permissions of a role of that version; answers them as they are now. */
export async function savePermissions(id: number, permissionIds: number[], version: string | undefined) {
  const path = { path: { id } }
  const { data, response } = await api.PUT('/roles/{id}/permissions', { params: path, body: { permissionIds }, headers: ifMatch(version) })
  tell('/roles/{id}/permissions', data!, path, response)
  invalidate('/roles', '/roles/{id}/audit', '/permissions/{id}/dependents/roles')
  return { from: grantedIn(data!), version: versionOf(response) }
}

/** Makes a role, with permissions where it is a copy. */
export async function createRole(texts: Texts, permissionIds: number[] = []) {
  const role = await answer(api.POST('/roles', { body: { ...bodyOf(texts), name: texts.name.trim() } }))
  if (permissionIds.length > 0) await savePermissions(role.id, permissionIds, undefined)
  invalidate('/roles')
  return role
}

export async function deleteRole(id: number) {
  await answer(api.DELETE('/roles/{id}', { params: { path: { id } } }))
  invalidate('/roles')
}

export type Holder = { kind: 'user' | 'group'; id: number }

/** Gives the holder of a role another one in its place: first the new one, so that nobody is without for a moment. */
export async function moveHolder({ kind, id }: Holder, from: Role, to: Role) {
  const path = { path: { id } }
  if (kind === 'user') {
    await answer(api.POST('/users/{id}/roles', { params: path, body: { roleName: to.name } }))
    await answer(api.DELETE('/users/{id}/roles/{roleName}', { params: { path: { id, roleName: from.name } } }))
  } else {
    await answer(api.POST('/groups/{id}/roles', { params: path, body: { roleId: to.id } }))
    await answer(api.DELETE('/groups/{id}/roles/{memberId}', { params: { path: { id, memberId: from.id } } }))
  }
}

/** Everyone and every group that holds a role directly. */
export async function allHolders(id: number): Promise<Holder[]> {
  const all: Holder[] = []
  for (let offset: number | null = 0; offset !== null; ) {
    const query: { limit: number; offset: number } = { limit: 200, offset }
    const page = await answer(api.GET('/roles/{id}/dependents/users', { params: { path: { id }, query } }))
    all.push(...page.items.map((user) => ({ kind: 'user' as const, id: user.id })))
    offset = page.nextOffset
  }
  for (let offset: number | null = 0; offset !== null; ) {
    const query: { limit: number; offset: number } = { limit: 200, offset }
    const page = await answer(api.GET('/roles/{id}/dependents/groups', { params: { path: { id }, query } }))
    all.push(...page.items.map((group) => ({ kind: 'group' as const, id: group.id })))
    offset = page.nextOffset
  }
  return all
}

export function heard(id: number) {
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
