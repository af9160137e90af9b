import { sql } from 'kysely'
import { Actor } from '../../../server/platform/auth/actor.ts'
import { noteDue } from '../../../server/platform/jobs/reminders.ts'
import { judgeSent } from '../../../server/work/orders/answering.ts'
import { readProgress } from '../../../server/work/orders/conversation.ts'
import { pageOrderDetails } from '../../../server/work/orders/detail-pages.ts'
import { keepAnswers, readDetailsOf } from '../../../server/work/orders/details.ts'
import { findFile } from '../../../server/work/orders/files.ts'
import { listIncoming, listOrdersOf } from '../../../server/work/orders/lists.ts'
import { placeOrders } from '../../../server/work/orders/new-orders.ts'
import { pageOrders, pageOrdersOf } from '../../../server/work/orders/pages.ts'
import {
  countLapsed,
  findReturned,
  lockOrder,
  lockOrders,
  type OrderView,
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
import { checkReopening, reopenOrder } from '../../../server/work/orders/reopening.ts'
import { askerOf } from '../../../server/work/orders/rules.ts'
import { standingOf } from '../../../server/work/orders/standing.ts'
import { pageTimeline } from '../../../server/work/orders/timeline.ts'
import { endWaits, letWait, resume } from '../../../server/work/orders/waiting.ts'
import { judgeWantedAt } from '../../../server/work/orders/wanted-at.ts'
import { receiversOf } from '../../../server/work/service-teams/queries.ts'
import type { Samples } from '../recorder.ts'

const page = { limit: 50, offset: 0 }
const access = { roles: [], permissions: new Set<string>(), groups: [], groupIds: new Set<number>() }
const reader = new Actor({ id: 1, kind: 'person', username: 'sara', language: 'ar', access, version: 1, epoch: 1, edition: 1 })
const receiver = new Actor({ ...reader, access: { ...access, permissions: new Set(['orders.receive']) } })
const order = {
  id: 2,
  userId: 1,
  assignedTo: 3,
  status: 'received',
  team: null,
  undoUntil: null,
  service: { nameAr: 'قهوة', nameEn: 'Coffee' },
} as OrderView
const counted = { waiting: 0, late: 0, dueToday: 0, later: 0 }

export default {
  listOrdersOf: (db) => listOrdersOf(db(), 1),
  listIncoming: (db) => listIncoming(db(), reader, () => {}),
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
  checkReopening: (db) => checkReopening(db([{ isInTime: true, reopenCount: 0 }]), { ...order, status: 'completed' }),
  reopenOrder: {
    'to its receiver': (db) => reopenOrder(db([], [{ isReceived: true }]), 1),
    'to all receivers': (db) => reopenOrder(db([], [{ isReceived: false }]), 1),
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
  countLapsed: (db) => countLapsed(db([{ count: 1 }]), [1], []),
  pageOrders: {
    'without a filter': (db) => pageOrders(db(), page),
    'with all filters': (db) => {
      const filter = { q: 'Coffee', assignedTo: 1, serviceId: 2, userId: 3, from: '2026-01-01', to: '2026-01-31', waitingMinutes: 10 }
      return pageOrders(db([{ folded: 'coffee' }]), { ...page, ...filter, status: 'pending' })
    },
  },
  orderReminders: (db) => noteDue(db(), orderReminders),
  'orderReminders.changes': (db) => orderReminders.changes(db(), [{ subjectId: 1, objectId: 0, deadline: new Date(0), days: 3 }]),
  judgeSent: (db) => judgeSent(db([{ serviceId: 2, version: 0, fields: [] }]), [{ userId: 1, serviceId: 2 }]),
  judgeWantedAt: (db) =>
    judgeWantedAt(db([{ rule: null }]), { serviceId: 2, moment: new Date(0), leadMinutes: 60, maxDays: 90, withinHours: true }),
  readDetailsOf: (db) => readDetailsOf(db([]), [], reader),
  pageOrderDetails: {
    'of teams': (db) =>
      pageOrderDetails(db([{ id: 4 }], [counted], [{ count: 1 }]), reader, { ...page, view: 'team', teamId: 4, status: 'pending' }),
    'of a receiver': (db) => pageOrderDetails(db([counted], [{ count: 1 }]), receiver, { ...page, view: 'incoming' }),
    'of a receiver, by ids': (db) => pageOrderDetails(db([counted], [{ count: 1 }]), receiver, { ...page, view: 'incoming', ids: '2,3' }),
    'with all filters': (db) => {
      const filter = { serviceId: 2, state: 'late', assignedTo: 'me', q: 'Coffee', from: '2026-01-01', to: '2026-01-31' } as const
      return pageOrderDetails(db([{ folded: 'coffee' }], [counted], [{ count: 1 }]), reader, { ...page, ...filter })
    },
  },
  keepAnswers: (db) => keepAnswers(db(), [{ orderId: 2, version: 1, answers: {}, wantedAt: '2026-03-02T08:00:00Z', objectIds: [] }]),
  readProgress: (db) => readProgress(db(), 2),
  findFile: (db) =>
    findFile(db([{}]), {
      orderId: 2,
      fileId: '6f1c2a9e-8a53-4f0c-9c5e-0d8f1b6f7a21',
      readerId: 1,
      standing: standingOf(order, askerOf(reader)),
    }),
  letWait: (db) => letWait(db(), 2, { for: 'requester', text: 'x', until: null }),
  resume: (db) => resume(db(), 2),
  endWaits: (db) => endWaits(db([{ id: 2 }]), 200),
  pageTimeline: (db) => pageTimeline(db([{ total: 1, newer: 0, isThere: true }]), 2, standingOf(order, askerOf(reader)), { before: 7 }),
  pageOrdersOf: (db) => pageOrdersOf(db([], [{ count: 1 }]), 1, page),
} satisfies Samples
