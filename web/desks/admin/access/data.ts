import { invalidate, resource } from '../../../platform/cache.ts'
import { api, type Schemas } from '../../../platform/client.ts'
import { Refusal } from '../../../platform/refusal.ts'
import type { PlannedChange } from '../shared/directory.ts'

export type Way = Schemas['AccessWay']
export type Reason = Schemas['AccessReason']

export interface Pair {
  userId: number
  appId: number
}

/** Whether the error means that the person or the app does not exist. */
export const isUnknown = (error: unknown) => error instanceof Refusal && error.status === 404

const path = (id: number) => ({ path: { id } })

export const personOf = (id: number) => resource('/users/{id}', path(id))
/** The roles, permissions and apps of a person, each with its sources: now or, with `at`, at that moment. */
export const accessOf = (id: number, at?: string) => resource('/users/{id}/effective-access', { ...path(id), query: at ? { at } : {} })
/** The people who see an app, each with the reasons. */
export const audienceOf = (id: number, q: string, offset: number) =>
  resource('/apps/{id}/audience', { ...path(id), query: { ...(q && { q }), limit: 50, offset } })
export const explanationOf = (pair: Pair, at?: string) => resource('/admin/access', { query: at ? { ...pair, at } : pair })
export const waysOf = (pair: Pair) => resource('/admin/access/ways', { query: pair })

const opposites = {
  'role.add': 'role.remove',
  'role.remove': 'role.add',
  'group.member': 'group.member.remove',
  'group.member.remove': 'group.member',
  'group.app': 'group.app.remove',
  'group.app.remove': 'group.app',
  'permission.app': 'permission.app.remove',
  'permission.app.remove': 'permission.app',
} as const satisfies Record<Way['act'], Way['act']>

/** The role, group or permission that an act concerns. */
export const targetOf = ({ refs: { role, group, permission } }: Pick<Way, 'refs'>) => (role ?? group ?? permission)!

type Target = ReturnType<typeof targetOf>

const calls: Record<Way['act'], (target: Target, pair: Pair) => Promise<unknown>> = {
  'role.add': ({ name }, { userId }) => api.POST('/users/{id}/roles', { params: path(userId), body: { roleName: name } }),
  'role.remove': ({ name }, { userId }) => api.DELETE('/users/{id}/roles/{roleName}', { params: { path: { id: userId, roleName: name } } }),
  'group.member': ({ id }, { userId }) => api.POST('/groups/{id}/users', { params: path(id), body: { userId } }),
  'group.member.remove': ({ id }, { userId }) =>
    api.DELETE('/groups/{id}/users/{memberId}', { params: { path: { id, memberId: userId } } }),
  'group.app': ({ id }, { appId }) => api.POST('/groups/{id}/apps', { params: path(id), body: { appId } }),
  'group.app.remove': ({ id }, { appId }) => api.DELETE('/groups/{id}/apps/{memberId}', { params: { path: { id, memberId: appId } } }),
  'permission.app': ({ id }, { appId }) => api.POST('/apps/{id}/permissions', { params: path(appId), body: { permissionId: id } }),
  'permission.app.remove': ({ id }, { appId }) =>
    api.DELETE('/apps/{id}/permissions/{permissionId}', { params: { path: { id: appId, permissionId: id } } }),
}

async function call(act: Way['act'], way: Way, pair: Pair) {
  await calls[act](targetOf(way), pair)
  invalidate('/admin/access', '/admin/access/ways', '/apps/{id}/audience', '/users/{id}/effective-access', '/users/{id}')
  invalidate('/users', '/groups', '/roles', '/admin/apps', '/groups/{id}')
}

export const take = (way: Way, pair: Pair) => call(way.act, way, pair)
export const takeBack = (way: Way, pair: Pair) => call(opposites[way.act], way, pair)

/** The change that a way makes, for a preview. */
export function plannedFor(way: Way, { userId, appId }: Pair): PlannedChange {
  const { act } = way
  const { id } = targetOf(way)
  const side = act.endsWith('.remove') ? 'remove' : 'add'
  if (act.startsWith('role')) return { kind: 'user', id: userId, [side]: { roleIds: [id] } }
  if (act.startsWith('permission')) return { kind: 'app', id: appId, [side]: { permissionIds: [id] } }
  return { kind: 'group', id, [side]: act.startsWith('group.member') ? { userIds: [userId] } : { appIds: [appId] } }
}
