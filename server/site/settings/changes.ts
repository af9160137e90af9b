import { Type } from 'typebox'
import { kind } from '../../platform/changes/change-kind.ts'

export const settingsChanges = {
  'settings.updated': kind({
    targetType: 'settings',
    facts: Type.Object({ changed: Type.Record(Type.String(), Type.Object({ from: Type.Unknown(), to: Type.Unknown() })) }),
    audits: () => ({ action: 'settings.update' }),
    emits: () => [{ event: 'settings_changed', data: {}, to: 'everyone' }],
  }),
}
