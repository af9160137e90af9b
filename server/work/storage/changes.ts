import { Type } from 'typebox'
import { kind } from '../../platform/changes/change-kind.ts'

const quiet = { targetType: 'object', audits: 'nothing', emits: 'nothing' } as const

export const storageChanges = {
  'object.requested': kind({ ...quiet, facts: Type.Object({ uuid: Type.String(), size: Type.Integer(), contentType: Type.String() }) }),
  'object.uploaded': kind({ ...quiet, facts: Type.Object({ uuid: Type.String() }) }),
  'object.removed': kind({ ...quiet, facts: Type.Object({ uuid: Type.String() }) }),
}
