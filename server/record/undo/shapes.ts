import { Type } from 'typebox'
import { Id, Named, Shape } from '../../platform/http/shape.ts'

export const UndoParams = Shape({ auditId: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [5120] }) })
export const Restored = Named('RestoredTarget', Shape({ targetType: Type.String(), targetId: Id }), { targetType: 'group', targetId: 7 })
