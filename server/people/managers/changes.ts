import { Type } from 'typebox'
import { kind } from '../../platform/changes/change-kind.ts'

const Id = Type.Union([Type.Integer(), Type.Null()])

export const managerChanges = {
  'user.manager_changed': kind({
    targetType: 'user',
    facts: Type.Object({
      changed: Type.Object({ managerId: Type.Object({ from: Id, to: Id }) }),
      /** The import that made the change. */
      importId: Type.Optional(Type.Integer()),
    }),
    audits: () => ({ action: 'user.manager.update' }),
    emits: (_tx, { targetId }) => [{ event: 'me_changed', data: {}, to: [targetId] }],
  }),
}
