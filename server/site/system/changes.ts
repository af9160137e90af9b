import { Type } from 'typebox'
import { kind } from '../../platform/changes/change-kind.ts'

export const systemChanges = {
  'job.retried': kind({
    targetType: 'job',
    facts: Type.Object({ task: Type.String(), attempts: Type.Integer() }),
    audits: () => ({ action: 'job.retry' }),
    emits: 'nothing',
  }),
}
