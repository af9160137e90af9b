import { Links } from '../../../server/access/impact/links.ts'
import type { Planned, Step } from '../../../server/access/impact/plan.ts'
import { readKnown, readMoves, readProfiles } from '../../../server/access/impact/stored.ts'
import type { Samples } from '../recorder.ts'

const step: Step = { place: 0, links: 'groupUsers', isOfUser: false, owner: 1, isWhole: true, isGone: false, added: [2], removed: [3] }
const none = { roles: new Map(), apps: new Map(), groups: new Map(), permissions: new Map() }
const planned: Planned = {
  after: {
    ...none,
    adminRole: 1,
    groupRoles: Links.between('group', 'role', []),
    groupApps: Links.between('group', 'app', []),
    rolePermissions: Links.between('role', 'permission', []),
    appPermissions: Links.between('app', 'permission', []),
  },
  steps: [],
  touched: [],
  activated: new Set(),
  deactivated: new Set(),
  deletedPeople: new Set(),
  switchedApps: new Set(),
  administering: new Set(),
  isDeleting: false,
  concerned: { user: new Set(), group: new Set(), role: new Set(), app: new Set(), permission: new Set() },
}
const crowd = { isEveryone: false, userIds: new Set([1]), groupIds: new Set([2]), roleIds: new Set([3]) }
const keys = { roleIds: new Set([3]), groupIds: new Set([2]) }
const counted = [{ count: 1 }]

export default {
  readKnown: (db) => readKnown(db(), [1], [2]),
  readMoves: {
    'of one step': (db) => readMoves(db(), 'groupUsers', [step]),
    'of several steps': (db) =>
      readMoves(
        db(),
        'userRoles',
        [1, 2].map((owner) => ({ ...step, links: 'userRoles', owner })),
      ),
  },
  readProfiles: {
    'of some people': (db) => readProfiles(db(counted), crowd, keys, planned, { userRoles: [], groupUsers: [] }),
    'of everyone': (db) => readProfiles(db(counted), { ...crowd, isEveryone: true }, keys, planned, { userRoles: [], groupUsers: [] }),
  },
} satisfies Samples
