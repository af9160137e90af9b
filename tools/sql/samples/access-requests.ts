import { findAskable } from '../../../server/access/requests/deciding.ts'
import { readGains } from '../../../server/access/requests/gains.ts'
import { lapseOf, lapsePointless, noteLapses, tellOfSome } from '../../../server/access/requests/lapses.ts'
import { pageOffers } from '../../../server/access/requests/offers.ts'
import { listOwnGrants } from '../../../server/access/requests/own-grants.ts'
import { pageRequests, readRequest } from '../../../server/access/requests/queries.ts'
import { accessRequestReminders } from '../../../server/access/requests/reminders.ts'
import { noteDue } from '../../../server/platform/jobs/reminders.ts'
import type { Samples } from '../recorder.ts'

const [PERSON, GROUP, REQUEST, APP] = [1, 2, 3, 4]
const page = { limit: 50, offset: 0 }
const counted = [{ count: 1, groupId: GROUP }]

export default {
  readRequest: (db) => readRequest(db([{ id: REQUEST }]), REQUEST, PERSON),
  pageRequests: {
    'one’s own': (db) => pageRequests(db(counted), page, PERSON),
    'those that wait': (db) => pageRequests(db(counted), { ...page, view: 'review', status: 'pending' }, PERSON),
    'all, with all filters': (db) =>
      pageRequests(db(counted), { ...page, view: 'all', status: 'lapsed', groupId: GROUP, userId: PERSON }, PERSON),
  },
  findAskable: (db) => findAskable(db([{ name: 'Sales' }]), GROUP, PERSON),
  readGains: (db) => readGains(db([], [{ memberCount: 1 }]), GROUP, PERSON, 'ar'),
  pageOffers: {
    'without a filter': (db) => pageOffers(db(counted), page, PERSON, 'ar'),
    'with all filters': (db) =>
      pageOffers(db([{ folded: 'sales' }], counted), { ...page, q: 'Sales', appId: APP, appSlug: 'sales' }, PERSON, 'en'),
  },
  listOwnGrants: (db) => listOwnGrants(db(), PERSON, {}, 'en'),
  lapsePointless: (db) => lapsePointless(db(), [PERSON]),
  lapseOf: (db) => lapseOf(db(), PERSON),
  noteLapses: (db) => noteLapses(db(), 100),
  tellOfSome: (db) => tellOfSome(db(), [5]),
  noteDue: (db) => noteDue(db(), accessRequestReminders),
  reminded: (db) => accessRequestReminders.changes(db(), [{ subjectId: REQUEST, objectId: 0, deadline: new Date(0), days: 3 }]),
} satisfies Samples
