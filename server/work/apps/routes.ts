import { Type } from 'typebox'
import { findNamedPermission, findPermissions } from '../../people/roles/queries.ts'
import { Permission, PermissionChoice, PermissionSet, Permissions, UnknownPermissions } from '../../people/roles/shapes.ts'
import { lockPerson } from '../../people/users/queries.ts'
import { changedFields } from '../../platform/changes/change-kind.ts'
import { keepDeleted } from '../../platform/changes/kept.ts'
import { changed, decideEach, unchanged } from '../../platform/changes/outcome.ts'
import { accessUnlessTexts } from '../../platform/changes/texts.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { checkDependents, takesDependents } from '../../platform/http/dependents.ts'
import { command, query, sharedCommand } from '../../platform/http/endpoint.ts'
import { listOf } from '../../platform/http/lists.ts'
import { IdParams, ListPart, Nothing } from '../../platform/http/shape.ts'
import { fetchPicture } from '../../platform/objects/pictures.ts'
import { pictured, roomOf } from '../storage/queries.ts'
import { noteAppOpens } from './app-opens.ts'
import { findApp, readLauncher, visibleApps } from './catalogue.ts'
import { appChanges } from './changes.ts'
import { previewPermissions } from './impact.ts'
import {
  addPermissions,
  countApps,
  countDependents,
  insertApp,
  linksOf,
  listAllApps,
  listAppsForAdmin,
  listPermissionsOfApp,
  loadApp,
  lockApp,
  lockAppTexts,
  readOrder,
  removeApp,
  removePermission,
  saveOrder,
  updateApp,
  viewersOf,
} from './queries.ts'
import { checkAddress, checkOrder, inOwnOrder, mayRead, sees } from './rules.ts'
import {
  App,
  AppDeletionConflict,
  AppEdit,
  AppFilter,
  AppInAdminList,
  AppInLauncher,
  AppOrder,
  AppPermissionLink,
  AppPermissionParams,
  AppPermissionsImpact,
  Apps,
  Deletion,
  LauncherApps,
  NewApp,
} from './shapes.ts'

export const readApps = query('GET /apps', {
  summary: 'The caller’s launcher; with counts for administrators',
  description: 'In the caller’s own order if they have one, otherwise by `sortOrder`, then by id.',
  allow: 'signed-in',
  scope: 'apps:read',
  query: ListPart,
  reply: LauncherApps,
  run: async ({ db, actor, query, asLongAs }) => {
    if (!actor.isAdmin) return readLauncher(db, actor, query, asLongAs)
    asLongAs(({ isAdmin }) => isAdmin)
    return listOf(AppInLauncher, listAppsForAdmin(db, actor.id, query))
  },
})

export const readAllApps = query('GET /admin/apps', {
  summary: 'All apps, including inactive ones, with the numbers of their dependents',
  description:
    'If `groupCount`, `restrictionCount` or `openCount` is not 0, a deletion without `force` is refused. `q` searches the slug, the names and the descriptions.',
  allow: 'admin',
  scope: 'admin:read',
  query: AppFilter,
  reply: Type.Array(AppInAdminList),
  total: ({ db, query }) => countApps(db, query),
  run: ({ db, query }) => listOf(AppInAdminList, listAllApps(db, query)),
})

export const createApp = command('POST /apps', {
  summary: 'Create an app',
  description: 'Its `permissionIds` are saved with it. People who see it get `apps_changed`.',
  allow: 'admin',
  scope: 'admin:write',
  record: App,
  locks: 'access',
  body: NewApp,
  reply: App,
  status: 201,
  refuses: [{ code: 'not_found', body: UnknownPermissions }, 'slug_taken', 'quota_exceeded'],
  prepare: (call) => fetchPicture(call, 'imageUrl', call.body.imageUrl, roomOf(call)),
  run: async ({ tx, actor, body: { permissionIds = [], ...sent }, prepared: picture }) => {
    checkAddress(sent)
    const { fields, changes } = await pictured(tx, actor.id, 'imageUrl', sent, picture)
    const permissions = (await findPermissions(tx, permissionIds, actor.language)).sort((one, other) => one.id - other.id)
    const app = await insertApp(tx, fields)
    const links = permissions.map(({ id, name }) => ({ permissionId: id, permissionName: name }))
    await addPermissions(
      tx,
      app.id,
      links.map(({ permissionId }) => permissionId),
    )
    const { slug, nameAr, nameEn } = app
    return changed(app, { kind: 'app.created', targetId: app.id, facts: { slug, nameAr, nameEn, permissions: links } }, ...changes)
  },
})

export const readApp = query('GET /apps/:id', {
  summary: 'One app that the caller sees; administrators also read inactive ones',
  description: 'An app that the caller does not see is not found.',
  allow: 'signed-in',
  scope: 'apps:read',
  record: App,
  params: IdParams,
  reply: App,
  refuses: ['not_found'],
  run: async ({ db, actor, params }) => {
    const app = await findApp(db, actor, params.id)
    return app && mayRead(app, actor) ? app : refuse('not_found')
  },
})

export const changeApp = command('PATCH /apps/:id', {
  summary: 'Change an app, except its slug',
  description: 'Omitted fields do not change. People who saw it before or see it now get `apps_changed`.',
  allow: 'admin',
  scope: 'admin:write',
  record: App,
  locks: accessUnlessTexts(appChanges['app.updated']),
  params: IdParams,
  body: AppEdit,
  reply: App,
  refuses: ['not_found', 'quota_exceeded'],
  prepare: (call) => fetchPicture(call, 'imageUrl', call.body.imageUrl, roomOf(call), () => loadApp(call.db, call.params.id)),
  run: async ({ tx, ifMatch, actor, params: { id }, body, prepared: picture }) => {
    const before = await lockAppTexts(tx, id)
    await ifMatch(() => before)
    checkAddress({ ...before, ...body })
    const { fields, changes } = await pictured(tx, actor.id, 'imageUrl', body, picture)
    const differences = changedFields(before, fields)
    if (Object.keys(differences).length === 0) return unchanged(before)
    const recipients = await viewersOf(tx, id)
    const app = await updateApp(tx, id, fields)
    return changed(app, { kind: 'app.updated', targetId: id, facts: { changed: differences }, recipients }, ...changes)
  },
})

export const deleteApp = command('DELETE /apps/:id', {
  summary: 'Delete an app; `force` deletes its grants, restrictions and opens as well',
  description:
    'Without `force`, deleting an app that has any of these is refused, with their counts. An unforced deletion can be undone for 30 seconds.',
  allow: 'admin',
  scope: 'admin:write',
  record: App,
  locks: 'access',
  params: IdParams,
  confirm: { when: takesDependents },
  query: Deletion,
  reply: Nothing,
  status: 204,
  refuses: ['not_found', { code: 'has_dependents', body: AppDeletionConflict }],
  run: async ({ tx, ifMatch, params: { id }, query: { force } }) => {
    const { slug, nameAr, nameEn } = await lockApp(tx, id)
    await ifMatch(() => loadApp(tx, id))
    const dependents = await countDependents(tx, id)
    const isForced = checkDependents(dependents, force)
    const recipients = await viewersOf(tx, id)
    const facts = { slug, nameAr, nameEn, ...(await linksOf(tx, id)), dependents, isForced }
    if (!isForced) await keepDeleted(tx, 'app', id, { apps: 'id', app_open_days: 'app_id', app_open_months: 'app_id' })
    await removeApp(tx, id)
    return changed(null, { kind: 'app.deleted', targetId: id, facts, recipients })
  },
})

export const readAppPermissions = query('GET /apps/:id/permissions', {
  summary: 'The permissions an app requires: one of them is enough, and if there are none, everyone sees the app',
  description: '`/apps/{id}/dependents/restrictions` lists them with the roles that hold them.',
  allow: 'admin',
  scope: 'admin:read',
  params: IdParams,
  query: ListPart,
  reply: Permissions,
  refuses: ['not_found'],
  run: async ({ db, actor, params: { id }, query }) => {
    await loadApp(db, id)
    return listOf(Permission, listPermissionsOfApp(db, id, actor.language, query))
  },
})

export const addAppPermission = command('POST /apps/:id/permissions', {
  summary: 'Require a permission for an app',
  description: 'If the app already requires it, nothing changes.',
  allow: 'admin',
  scope: 'admin:write',
  locks: 'access',
  params: IdParams,
  body: PermissionChoice,
  reply: AppPermissionLink,
  status: 201,
  refuses: [{ code: 'not_found', body: UnknownPermissions }],
  run: async ({ tx, params: { id }, body: { permissionId } }) => {
    const recipients = await viewersOf(tx, id)
    const { name: permissionName } = await findNamedPermission(tx, permissionId)
    const link = { appId: id, permissionId }
    const added = await addPermissions(tx, id, [permissionId])
    if (added.length === 0) return unchanged(link)
    return changed(link, { kind: 'app.permission_added', targetId: id, facts: { permissionId, permissionName }, recipients })
  },
})

export const removeAppPermission = command('DELETE /apps/:id/permissions/:permissionId', {
  summary: 'Stop requiring a permission; if none is left, everyone sees the app',
  description: 'If the app does not require it, nothing changes.',
  allow: 'admin',
  scope: 'admin:write',
  locks: 'access',
  params: AppPermissionParams,
  reply: Nothing,
  status: 204,
  refuses: ['not_found'],
  run: async ({ tx, params: { id, permissionId } }) => {
    const recipients = await viewersOf(tx, id)
    const facts = await removePermission(tx, id, permissionId)
    if (!facts) return unchanged(null)
    return changed(null, { kind: 'app.permission_removed', targetId: id, facts, recipients })
  },
})

export const previewAppPermissions = query('POST /apps/:id/permissions/impact-preview', {
  summary: 'How many people would lose an app if it required exactly these permissions',
  description: 'This changes nothing. An empty list means that the app requires no permission.',
  allow: 'admin',
  scope: 'admin:read',
  params: IdParams,
  body: PermissionSet,
  reply: AppPermissionsImpact,
  refuses: [{ code: 'not_found', body: UnknownPermissions }],
  run: async ({ db, actor, params: { id }, body: { permissionIds } }) => {
    await loadApp(db, id)
    await findPermissions(db, permissionIds, actor.language)
    return previewPermissions(db, id, permissionIds, actor.language)
  },
})

export const openApp = sharedCommand('POST /apps/:id/open', {
  summary: 'Record that the caller opened an app',
  description: 'Inactive apps cannot be opened.',
  allow: 'signed-in',
  params: IdParams,
  reply: Nothing,
  status: 204,
  refuses: ['not_found'],
  prepare: async ({ db, actor, params }) => {
    const app = await findApp(db, actor, params.id)
    if (!app || !sees(app, actor)) refuse('not_found')
  },
  runMany: async (tx, calls) => {
    const areNoted = await noteAppOpens(
      tx,
      calls.map(({ actor, params: { id } }) => ({ appId: id, userId: actor.id })),
    )
    return decideEach(calls, (_, n) => (areNoted[n] ? unchanged(null) : refuse('not_found')))
  },
})

export const orderMyApps = command('PUT /me/app-order', {
  summary: 'Set the order of one’s own launcher; omitted apps follow',
  description: 'The ids must be distinct, and belong to apps that the caller sees.',
  allow: 'signed-in',
  locks: 'caller',
  body: AppOrder,
  reply: Apps,
  prepare: async ({ db, actor, body: { order } }) => {
    const visible = await visibleApps(db, actor)
    checkOrder(visible, order)
    return inOwnOrder(visible, order)
  },
  run: async ({ tx, actor, body: { order }, prepared: apps }) => {
    await lockPerson(tx, actor.id)
    const before = await readOrder(tx, actor.id)
    if (before.join() === order.join()) return unchanged([...apps])
    await saveOrder(tx, actor.id, order)
    return changed([...apps], { kind: 'apps.reordered', targetId: actor.id, facts: { order } })
  },
})
