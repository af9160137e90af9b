import { sql } from 'kysely'
import { Actor } from '../../../server/platform/auth/actor.ts'
import { noteDue } from '../../../server/platform/jobs/reminders.ts'
import { judgeSent } from '../../../server/work/orders/answering.ts'
import { pageTeamOrders } from '../../../server/work/orders/detail-pages.ts'
import { readDetailsOf } from '../../../server/work/orders/details.ts'
import { pageOrders, pageOrdersOf } from '../../../server/work/orders/pages.ts'
import {
  findReturned,
  listIncoming,
  listOrdersOf,
  lockOrder,
  lockOrders,
  placeOrders,
  readOrder,
  removeOrders,
  restoreOrder,
  setStatus,
  transferOrder,
} from '../../../server/work/orders/queries.ts'
import {
  claimOrders,
  findUnentitled,
  giveOrder,
  lockReceiver,
  releaseOrder,
  returnForeignOrders,
  returnOrdersOf,
} from '../../../server/work/orders/receiving.ts'
import { orderReminders } from '../../../server/work/orders/reminders.ts'
import { judgeWantedAt } from '../../../server/work/orders/wanted-at.ts'
import { receiversOf } from '../../../server/work/service-teams/queries.ts'
import type { Samples } from '../recorder.ts'

const page = { limit: 50, offset: 0 }
const access = { roles: [], permissions: new Set<string>(), groups: [], groupIds: new Set<number>() }
const reader = new Actor({ id: 1, kind: 'person', username: 'sara', language: 'ar', access, version: 1, epoch: 1, edition: 1 })

export default {
  listOrdersOf: (db) => listOrdersOf(db(), 1),
  listIncoming: (db) => listIncoming(db(), reader),
  readOrder: (db) => readOrder(db([{ id: 2, userId: reader.id }]), 2, reader),
  lockOrder: (db) => lockOrder(db([{ id: 2 }]), 2),
  placeOrders: (db) => placeOrders(db(), [{ userId: 1, serviceId: 2 }]),
  claimOrders: (db) => claimOrders(db(), [{ id: 1, receiverId: 2 }]),
  giveOrder: (db) => giveOrder(db(), 1, 2),
  releaseOrder: (db) => releaseOrder(db(), 1),
  setStatus: {
    'to cancelled': (db) => setStatus(db(), 1, 'cancelled'),
    'to another': (db) => setStatus(db(), 1, 'preparing'),
  },
  restoreOrder: {
    'to pending': (db) => restoreOrder(db([{ id: 1 }]), 1, 'pending'),
    'to its receiver': (db) => restoreOrder(db([{ id: 1 }]), 1, 'received'),
  },
  lockOrders: (db) => lockOrders(db(), [1]),
  removeOrders: (db) => removeOrders(db(), { ids: [1] }),
  transferOrder: (db) => transferOrder(db([{ orderId: 1 }]), 1, 4),
  findUnentitled: (db) => findUnentitled(db()),
  returnForeignOrders: (db) => returnForeignOrders(db([{ id: 1 }]), [2]),
  returnOrdersOf: (db) => returnOrdersOf(db(), [1]),
  lockReceiver: (db) => lockReceiver(db([{ id: 1, receives: true }]), 1, null),
  findReturned: {
    'for want of a right': (db) =>
      findReturned(db(), { deletedPeople: [], receivers: sql`select unnest(${receiversOf(null)})`, memberships: [], most: 20 }),
    'from deleted people': (db) =>
      findReturned(db(), { deletedPeople: [1], receivers: null, memberships: [{ userId: 1, otherId: 5, isAdded: false }], most: 20 }),
  },
  pageOrders: {
    'without a filter': (db) => pageOrders(db(), page),
    'with all filters': (db) => {
      const filter = { q: 'Coffee', assignedTo: 1, serviceId: 2, userId: 3, from: '2026-01-01', to: '2026-01-31', waitingMinutes: 10 }
      return pageOrders(db([{ folded: 'coffee' }]), { ...page, ...filter, status: 'pending' })
    },
  },
  orderReminders: (db) => noteDue(db(), orderReminders),
  'orderReminders.changes': (db) => orderReminders.changes(db(), [{ subjectId: 1, objectId: 0, deadline: new Date(0), days: 3 }]),
  judgeSent: (db) => judgeSent(db([{ serviceId: 2, version: 0, fields: [] }]), [{ serviceId: 2 }]),
  judgeWantedAt: (db) =>
    judgeWantedAt(db([{ rule: null }]), { serviceId: 2, moment: new Date(0), leadMinutes: 60, maxDays: 90, withinHours: true }),
  readDetailsOf: (db) => readDetailsOf(db([{ orderId: 2 }]), [2]),
  pageTeamOrders: (db) => pageTeamOrders(db([{ id: 4 }], [{ count: 1 }]), reader, { ...page, view: 'team', teamId: 4, status: 'pending' }),
  pageOrdersOf: (db) => pageOrdersOf(db([], [{ count: 1 }]), 1, page),
} satisfies Samples
