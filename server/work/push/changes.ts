import { Type } from 'typebox'
import { kind } from '../../platform/changes/change-kind.ts'
import { OneOf } from '../../platform/http/shape.ts'

const quiet = { audits: 'nothing', emits: 'nothing' } as const

/** Endpoints and keys are the browsers' secrets, so the ledger records neither. */
export const pushChanges = {
  'push.subscribed': kind({ targetType: 'user', facts: Type.Object({}), ...quiet }),
  'push.unsubscribed': kind({
    targetType: 'user',
    facts: Type.Object({ reason: OneOf(['asked', 'moved', 'too_many', 'gone', 'session_over']) }),
    ...quiet,
  }),
}
