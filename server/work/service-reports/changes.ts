import { Type } from 'typebox'
import { kind } from '../../platform/changes/change-kind.ts'

const Filter = Type.Union([Type.Integer(), Type.Null()])

export const reportChanges = {
  /** The orders of a service were downloaded. */
  'order.exported': kind({
    targetType: 'service',
    facts: Type.Object({ from: Type.String(), to: Type.String(), serviceId: Type.Integer(), teamId: Filter }),
    audits: () => ({ action: 'order.export' }),
    emits: 'nothing',
  }),
}
