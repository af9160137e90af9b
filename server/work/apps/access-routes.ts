import { findPermissions } from '../../people/roles/queries.ts'
import { UnknownPermissions } from '../../people/roles/shapes.ts'
import { changed, unchanged } from '../../platform/changes/outcome.ts'
import { changedSet, hasMoved, lockExisting, movesBetween } from '../../platform/database/sets.ts'
import { command, query } from '../../platform/http/endpoint.ts'
import { IdParams } from '../../platform/http/shape.ts'
import { linksOf, loadApp, lockApp, moveLinks, viewersOf } from './queries.ts'
import { AppAccess } from './shapes.ts'

export const readAppAccess = query('GET /apps/:id/access', {
  summary: 'The permissions an app requires and the groups it is granted to, by their ids',
  description: '`If-Match` takes its `ETag`.',
  allow: 'admin',
  scope: 'admin:read',
  record: AppAccess,
  params: IdParams,
  reply: AppAccess,
  refuses: ['not_found'],
  run: async ({ db, params: { id } }) => {
    await loadApp(db, id)
    return linksOf(db, id)
  },
})

export const replaceAppAccess = command('PUT /apps/:id/access', {
  summary: 'Replace the permissions an app requires and the groups it is granted to',
  description:
    'Both change together, so that nobody gains or loses the app in between. Unknown permissions are refused with 404, unknown groups with 400. People who saw the app before or see it now get `apps_changed`.',
  allow: 'admin',
  scope: 'admin:write',
  record: AppAccess,
  locks: 'access',
  params: IdParams,
  body: AppAccess,
  reply: AppAccess,
  refuses: [{ code: 'not_found', body: UnknownPermissions }, 'unknown_ids'],
  run: async ({ tx, ifMatch, actor, params: { id }, body: { permissionIds, groupIds } }) => {
    await lockApp(tx, id)
    const before = await linksOf(tx, id)
    await ifMatch(() => before)
    const [permissions, groups] = [movesBetween(before.permissionIds, permissionIds), movesBetween(before.groupIds, groupIds)]
    await findPermissions(tx, permissions.added, actor.language)
    await lockExisting(tx, 'groups', groups.added)
    if (!hasMoved(permissions) && !hasMoved(groups)) return unchanged(before)
    const recipients = await viewersOf(tx, id)
    await moveLinks(tx, id, { permissions, groups })
    const differences = { ...changedSet('permissionIds', permissions), ...changedSet('groupIds', groups) }
    return changed(await linksOf(tx, id), {
      kind: 'app.access_replaced',
      targetId: id,
      facts: { changed: differences, permissions, groups },
      recipients,
    })
  },
})
