import type { Static } from 'typebox'
import { record } from '../../../server/lists/recording.ts'
import { meansOf } from '../../../server/platform/auth/confirmation.ts'
import { keepProgramsFromAdministering, requireAdministrator } from '../../../server/platform/auth/last-admin.ts'
import { takeDeleted } from '../../../server/platform/changes/kept.ts'
import { remember } from '../../../server/platform/http/idempotency.ts'
import { forgetExcessKeys, freeForgottenJobs, tablesOfMonths } from '../../../server/platform/jobs/upkeep.ts'
import type { ServiceOrder } from '../../../server/work/orders/shapes.ts'
import type { Samples } from '../recorder.ts'

const author = { id: 1, username: 'sara' }
const bytes = Buffer.alloc(0)
const texts = { ar: { service: 'قهوة', person: 'سارة' }, en: { service: 'Coffee', person: 'Sara' } }
const order = {
  id: 1,
  serviceId: 1,
  userId: 1,
  assignedTo: null,
  notes: null,
  status: 'pending',
  createdAt: new Date(0),
  updatedAt: new Date(0),
  service: { id: 1, nameAr: 'قهوة', nameEn: 'Coffee', imageUrl: null },
  requester: null,
  assignee: null,
  undoUntil: null,
  next: [],
  team: null,
} satisfies Static<typeof ServiceOrder> & { team: null }
const payload = { ar: { note: 'خطة', person: 'سارة' }, en: { note: 'Plan', person: 'Sara' } }

export default {
  meansOf: (db) => meansOf(db(), 1),
  keepProgramsFromAdministering: (db) => keepProgramsFromAdministering(db()),
  requireAdministrator: (db) => requireAdministrator(db([{ id: 1 }]), 1),
  takeDeleted: (db) => takeDeleted(db(), 1),
  remember: (db) => remember(db([{ isKept: true }]), [{ userId: 1, keyHash: bytes, fingerprint: bytes, sealed: bytes }]),
  tablesOfMonths: (db) => tablesOfMonths(db()),
  forgetExcessKeys: (db) => forgetExcessKeys(db()),
  freeForgottenJobs: (db) => freeForgottenJobs(db()),
  record: {
    'an audit entry, a history and events': (db) =>
      record(db(), author, [{ kind: 'user.role_added', targetId: 2, facts: { roleId: 3, roleName: 'clerk' } }]),
    'a change that is kept once a minute': (db) =>
      record(db(), author, [{ kind: 'user.preferences_changed', targetId: 1, facts: { changed: {} } }]),
    notifications: (db) => record(db(), author, [{ kind: 'note.sent', targetId: 1, facts: { ownerId: 1, recipientIds: [2] }, payload }]),
    'an order, with notifications of everyone who receives orders': (db) =>
      record(db(), author, [{ kind: 'order.placed', targetId: 1, facts: { serviceId: 1, params: texts }, recipients: [], payload: order }]),
    'notifications that are mailed': (db) => record(db(), author, [{ kind: 'recovery_code.used', targetId: 1, facts: { left: 9 } }]),
    'notifications that are settled': (db) =>
      record(db(), author, [
        { kind: 'order.deleted', targetId: 1, facts: { status: 'pending', userId: 2, assignedTo: null }, recipients: [] },
      ]),
  },
} satisfies Samples
