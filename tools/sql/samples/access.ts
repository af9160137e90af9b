import { listActiveApps, pageHolders, pageViewers, readHoldingsOf, readLock } from '../../../server/access/explain/queries.ts'
import { findWays } from '../../../server/access/explain/way-queries.ts'
import type { Samples } from '../recorder.ts'

const [PERSON, APP, ROLE] = [1, 2, 3]
const permissions = [
  { id: 4, name: 'orders.view' },
  { id: 5, name: 'orders.receive' },
]
const app = {
  id: APP,
  slug: 'orders',
  nameAr: 'الطلبات',
  nameEn: 'Orders',
  isActive: true,
  permissions,
  groups: [{ id: 6, name: 'Sales' }],
}
const people = [{ count: 1, people: [{ id: PERSON }] }]
const page = { limit: 50, offset: 0 }
const person = [{ id: PERSON, isActive: true }]
const held = [{ userId: PERSON, ...permissions[0], roleId: ROLE, roleName: 'clerk', groupId: null, groupName: null }]

export default {
  readHoldingsOf: (db) => readHoldingsOf(db(person), PERSON, 'ar'),
  listActiveApps: (db) => listActiveApps(db(), 'en'),
  readLock: (db) => readLock(db([app]), APP, 'en'),
  pageViewers: {
    'of everyone': (db) => pageViewers(db([{ id: ROLE }], people), app, page, 'en'),
    'in a search': (db) => pageViewers(db([{ id: ROLE }], [{ folded: 'sara' }], people), app, { ...page, q: 'Sara' }, 'ar'),
  },
  pageHolders: {
    directly: (db) => pageHolders(db([{ id: ROLE }], people, person), ROLE, page, 'en'),
    'also through groups': (db) => pageHolders(db([{ id: ROLE }], people, person), ROLE, { ...page, effective: true }, 'en'),
  },
  findWays: {
    'to an app that the person does not see': (db) => findWays(db(person, [], [], [], [app]), PERSON, APP, 'en'),
    'out of an app that they see': (db) => findWays(db(person, [], held, [], [app]), PERSON, APP, 'en'),
    'out of an app that is open to everyone': (db) =>
      findWays(db(person, [], [], [], [{ ...app, permissions: [], groups: [] }]), PERSON, APP, 'en'),
  },
} satisfies Samples
