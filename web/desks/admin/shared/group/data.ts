import { endsToGive, type Staged } from '../../../../parts/lists/set-editor/staged.ts'
import { invalidate, resource, setCached } from '../../../../platform/cache.ts'
import { answer, api, ifMatch, type Schemas, versionOf } from '../../../../platform/client.ts'
import type { App, Person, Role } from '../directory.ts'
import { giveMembership } from '../ends/data.ts'
import { PAGE } from '../listed.ts'

export type Group = Schemas['GroupDetail']

/** The values of a group's form: its texts, and the pending changes of its three sets. */
export interface Values {
  name: string
  descriptionAr: string
  descriptionEn: string
  members: Staged<Person>
  roles: Staged<Role>
  apps: Staged<App>
}

const nothing = { add: [], remove: [] }
export const noGroup: Values = { name: '', descriptionAr: '', descriptionEn: '', members: nothing, roles: nothing, apps: nothing }
export const valuesOf = ({ name, descriptionAr, descriptionEn }: Pick<Group, 'name' | 'descriptionAr' | 'descriptionEn'>): Values => ({
  ...noGroup,
  name,
  descriptionAr: descriptionAr ?? '',
  descriptionEn: descriptionEn ?? '',
})

export const groupOf = (id: number) => resource('/groups/{id}', { path: { id } })
export const membersOf = (id: number, q: string, offset: number) =>
  resource('/groups/{id}/members', { path: { id }, query: { ...(q && { q }), limit: PAGE, offset } })
export const historyOf = (id: number, offset: number) => resource('/groups/{id}/audit', { path: { id }, query: { limit: 25, offset } })

const idsOf = ({ add, remove }: Staged<{ id: number }>) => ({ add: add.map(({ id }) => id), remove: remove.map(({ id }) => id) })

/** The body of the call that saves the changes. */
function bodyOf({ name, descriptionAr, descriptionEn, members, roles, apps }: Partial<Values>): Schemas['GroupChanges'] {
  return {
    ...(name !== undefined && { name: name.trim() }),
    ...(descriptionAr !== undefined && { descriptionAr: descriptionAr.trim() || null }),
    ...(descriptionEn !== undefined && { descriptionEn: descriptionEn.trim() || null }),
    ...(members && { members: idsOf(members) }),
    ...(roles && { roles: idsOf(roles) }),
    ...(apps && { apps: idsOf(apps) }),
  }
}

/** The changes of the sets, for a preview; undefined if only texts change. */
export function plannedFor(id: number, { members, roles, apps }: Values): Schemas['PlannedChange'][] | undefined {
  const [users, given, opened] = [idsOf(members), idsOf(roles), idsOf(apps)]
  const sets = (side: 'add' | 'remove') => ({ userIds: users[side], roleIds: given[side], appIds: opened[side] })
  const isNothing = [users, given, opened].every(({ add, remove }) => add.length + remove.length === 0)
  return isNothing ? undefined : [{ kind: 'group', id, add: sets('add'), remove: sets('remove') }]
}

export function refreshLists() {
  invalidate('/groups', '/groups/{id}/members', '/groups/{id}/audit', '/users', '/roles', '/admin/apps')
}

/**
 * Saves the changes of a group at the given version; returns the new group. Members whose membership gets an end are added or changed
 * afterwards, one by one.
 */
export async function saveGroup(id: number, changed: Partial<Values>, version: string | undefined) {
  const path = { path: { id } }
  const { members } = changed
  const given = members ? endsToGive(members) : []
  const later = new Set(given.map(({ item }) => item.id))
  const atOnce = members && { ...members, add: members.add.filter((person) => !later.has(person.id)) }
  const isOnlyEnds = atOnce && atOnce.add.length + atOnce.remove.length === 0
  const { members: _, ...others } = changed
  const body = bodyOf({ ...others, ...(atOnce && !isOnlyEnds && { members: atOnce }) })
  let saved: { data?: unknown; response: Response } | undefined
  if (Object.keys(body).length > 0) saved = await api.PATCH('/groups/{id}', { params: path, body, headers: ifMatch(version) })
  try {
    for (const { item, to } of given) saved = await giveMembership(id, item.id, to)
  } finally {
    if (saved) setCached('/groups/{id}', saved.data as Group, path, saved.response)
    refreshLists()
  }
  return saved && { from: valuesOf(saved.data as Group), version: versionOf(saved.response) }
}

export async function createGroup({ name, descriptionAr, descriptionEn, members, roles, apps }: Values) {
  const body = {
    name: name.trim(),
    descriptionAr: descriptionAr.trim() || null,
    descriptionEn: descriptionEn.trim() || null,
    userIds: idsOf(members).add,
    roleIds: idsOf(roles).add,
    appIds: idsOf(apps).add,
  }
  const group = await answer(api.POST('/groups', { body }))
  refreshLists()
  return group
}

/** Removes all members of a group, instead of deleting it. */
export async function emptyGroup(id: number, version: string | undefined) {
  await answer(api.PATCH('/groups/{id}', { params: { path: { id } }, body: { userIds: [] }, headers: ifMatch(version) }))
  invalidate('/groups/{id}')
  refreshLists()
}

/** The teams and services that name a group. */
export const namingOf = (id: number) => (offset: number) =>
  resource('/groups/{id}/dependents/services', { path: { id }, query: { limit: 50, offset } })

export const countsOf = ({ userIds, roleIds, appIds }: Group) => ({
  memberCount: userIds.length,
  roleCount: roleIds.length,
  appCount: appIds.length,
})
/** Deletes a group. Without `force`, a group with members, roles or apps stays. */
export async function deleteGroup(id: number, force: boolean, version: string | undefined) {
  await answer(api.DELETE('/groups/{id}', { params: { path: { id }, query: { force } }, headers: ifMatch(version) }))
  refreshLists()
}
