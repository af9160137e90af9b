import { Actor } from '../../../server/platform/auth/actor.ts'
import { noteAppOpens, removeSomeAppOpens } from '../../../server/work/apps/app-opens.ts'
import { visibleApps } from '../../../server/work/apps/catalogue.ts'
import { pageGroupsOf, pageOpensOf, pageRestrictionsOf } from '../../../server/work/apps/dependents.ts'
import { previewPermissions } from '../../../server/work/apps/impact.ts'
import { listAppsForAdmin, listPermissionsOfApp } from '../../../server/work/apps/queries.ts'
import type { Samples } from '../recorder.ts'

const page = { limit: 50, offset: 0 }
const counts = [{ groupCount: 1, restrictionCount: 1, openCount: 1 }]
const access = { roles: [], permissions: new Set<string>(), groups: [], groupIds: new Set<number>() }

export default {
  visibleApps: (db) =>
    visibleApps(db(), new Actor({ id: 1, kind: 'person', username: 'sara', language: 'ar', access, version: 1, epoch: 1, edition: 1 })),
  listAppsForAdmin: (db) => listAppsForAdmin(db(), 1, {}),
  listPermissionsOfApp: (db) => listPermissionsOfApp(db(), 1, 'en', {}),
  pageGroupsOf: (db) => pageGroupsOf(db(counts), 1, page, 'en'),
  pageRestrictionsOf: (db) => pageRestrictionsOf(db(counts), 1, page, 'en'),
  pageOpensOf: (db) => pageOpensOf(db(counts), 1, page),
  previewPermissions: (db) => previewPermissions(db([{ permissionIds: [4], groupIds: [] }], [], [{ groups: [] }]), 1, [2, 3], 'en'),
  noteAppOpens: (db) => noteAppOpens(db(), [{ appId: 1, userId: 2 }]),
  removeSomeAppOpens: {
    'of an app': (db) => removeSomeAppOpens(db([{ last: null }]), { of: 'app', id: 1 }),
    'of a person': (db) => removeSomeAppOpens(db([{ last: null }]), { of: 'user', id: 1 }),
  },
} satisfies Samples
