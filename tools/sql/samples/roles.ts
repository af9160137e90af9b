import { pageAppsAsking, pageGroupsWith, pageHolders, pageRolesWith } from '../../../server/people/roles/dependents.ts'
import { previewPermissions } from '../../../server/people/roles/impact.ts'
import { listPermissionsOfRole } from '../../../server/people/roles/queries.ts'
import type { Samples } from '../recorder.ts'

const page = { limit: 50, offset: 0 }
const counted = [{ count: 1 }]

export default {
  listPermissionsOfRole: (db) => listPermissionsOfRole(db(), 1, 'en'),
  previewPermissions: (db) => previewPermissions(db([{ permissionId: 4 }]), 1, [2, 3], 'en'),
  pageHolders: (db) => pageHolders(db([], counted), 1, page, 'en'),
  pageGroupsWith: (db) => pageGroupsWith(db([], counted), 1, page, 'en'),
  pageRolesWith: (db) => pageRolesWith(db([], counted), 1, page, 'en'),
  pageAppsAsking: (db) => pageAppsAsking(db([], counted), 1, page),
} satisfies Samples
