import { Actor } from '../../../server/platform/auth/actor.ts'
import { noteDue } from '../../../server/platform/jobs/reminders.ts'
import { readApprovals } from '../../../server/work/orders/approval.ts'
import { findAsked, release } from '../../../server/work/orders/approving.ts'
import { addText } from '../../../server/work/orders/conversation.ts'
import { findDeciding } from '../../../server/work/orders/deciders.ts'
import { pageOrderDetails } from '../../../server/work/orders/detail-pages.ts'
import { keepTerms } from '../../../server/work/orders/holding.ts'
import { passOn } from '../../../server/work/orders/passing-on.ts'
import { type OrderView, readViews, readWritten, viewsOf } from '../../../server/work/orders/queries.ts'
import { approvalReminders } from '../../../server/work/orders/reminders.ts'
import { findOrdering } from '../../../server/work/service-handlings/queries.ts'
import type { Samples } from '../recorder.ts'

const access = { roles: [], permissions: new Set<string>(), groups: [], groupIds: new Set([5]) }
const reader = new Actor({ id: 1, kind: 'person', username: 'sara', language: 'ar', access, version: 1, epoch: 1, edition: 1 })
const administrator = new Actor({ ...reader, access: { ...access, roles: ['admin'] } })
const order = {
  id: 2,
  userId: 1,
  assignedTo: null,
  needsApproval: true,
  status: 'pending',
  team: null,
  hold: 'waiting',
  service: { nameAr: 'قهوة', nameEn: 'Coffee' },
  beneficiaryId: 6,
} as OrderView
const step = { key: 'chief', nameAr: 'المدير', nameEn: 'Manager', manager: true, userIds: [7], groupIds: [5], needed: 1, when: [] }
const counted = { held: 0, waiting: 0, late: 0, dueToday: 0, later: 0 }

export default {
  readApprovals: (db) => readApprovals(db(), [2]),
  findDeciding: (db) => findDeciding(db(), [2], 1),
  findAsked: (db) => findAsked(db([{ id: 2, ids: [] }]), [{ id: 2, userId: 1, place: 0 }]),
  release: (db) => release(db([{ id: 2 }]), 2),
  readWritten: (db) => readWritten(db(), [2]),
  viewsOf: (db) => readViews(db(), viewsOf([2])),
  keepTerms: (db) => keepTerms(db(), [{ orderId: 2, forUserId: 6, steps: [step], applying: [step] }]),
  findOrdering: (db) => findOrdering(db(), 3, reader),
  passOn: (db) => passOn(db(), 1),
  pageOrderDetails: {
    'of its approvers': (db) =>
      pageOrderDetails(db([{ id: 2 }], [counted], [{ count: 1 }]), reader, { limit: 50, offset: 0, view: 'approve' }),
    'of administrators': (db) =>
      pageOrderDetails(db([{ id: 2 }], [counted], [{ count: 1 }]), administrator, { limit: 50, offset: 0, view: 'approve' }),
  },
  addText: (db) =>
    addText(db([{ id: 1, createdAt: new Date(0) }], [{ ids: [7] }], [{ id: 7 }], [], [{ person: {} }]), {
      place: 'message',
      order,
      authorId: 1,
      text: 'x',
      fileIds: [],
    }),
  approvalReminders: (db) => noteDue(db(), approvalReminders),
  'approvalReminders.changes': (db) => approvalReminders.changes(db(), [{ subjectId: 2, objectId: 0, deadline: new Date(0), days: 1 }]),
} satisfies Samples
