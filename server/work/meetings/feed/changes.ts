import { Type } from 'typebox'
import { kind } from '../../../platform/changes/change-kind.ts'

export const feedChanges = {
  'calendar_feed.created': kind({
    targetType: 'user',
    facts: Type.Object({
      username: Type.String(),
      /** Whether the new address replaced an earlier one, which no longer works. */
      renewed: Type.Boolean(),
    }),
    isSecurityEvent: true,
    audits: () => ({ action: 'calendar.create' }),
    emits: (_tx, { targetId }) => [{ event: 'security_changed', data: {}, to: [targetId] }],
  }),
  'calendar_feed.deleted': kind({
    targetType: 'user',
    facts: Type.Object({ username: Type.String() }),
    isSecurityEvent: true,
    audits: () => ({ action: 'calendar.delete' }),
    emits: (_tx, { targetId }) => [{ event: 'security_changed', data: {}, to: [targetId] }],
  }),
}
