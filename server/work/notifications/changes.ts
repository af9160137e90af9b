import { Type } from 'typebox'
import { kind } from '../../platform/changes/change-kind.ts'

const notKept = { isKept: false, audits: 'nothing' } as const

/** Reading is private: the reader's own open pages get the event, and the ledger records nothing. */
export const notificationChanges = {
  'notification.read': kind({
    ...notKept,
    targetType: 'user',
    facts: Type.Object({ ids: Type.Array(Type.Integer()) }),
    emits: (_tx, { targetId, facts }) => [{ event: 'notifications_read', data: facts, to: [targetId] }],
  }),
  'notification.all_read': kind({
    ...notKept,
    targetType: 'user',
    facts: Type.Object({}),
    emits: (_tx, { targetId }) => [{ event: 'notifications_read', data: { all: true }, to: [targetId] }],
  }),
}
