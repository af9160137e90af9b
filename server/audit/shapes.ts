import { type Static, type TSchema, Type } from 'typebox'
import { CalendarDate, Id, Nullable, OneOf, PageOf, pageQuery, Shape, Timestamp } from '../platform/http/shape.ts'

export const historyKinds = ['user.roles', 'user.groups', 'group.users', 'group.roles', 'group.apps', 'app.permissions'] as const

export const AuditActor = Shape({
  id: Id,
  username: Type.String(),
  displayNameAr: Nullable(Type.String()),
  displayNameEn: Nullable(Type.String()),
  avatarUrl: Nullable(Type.String()),
})
const ids = Type.Array(Id)
export const actorOrNull = Type.Unsafe<{
  id: number
  username: string
  displayNameAr: string | null
  displayNameEn: string | null
  avatarUrl: string | null
} | null>({ ...AuditActor, type: ['object', 'null'] })

export const RolePermissionAuditList = PageOf(
  'entries',
  Shape({
    id: Id,
    roleId: Id,
    previousPermissionIds: ids,
    newPermissionIds: ids,
    addedPermissionIds: ids,
    removedPermissionIds: ids,
    createdAt: Timestamp,
    actor: actorOrNull,
  }),
)

export const PermissionAuditList = PageOf(
  'entries',
  Shape({
    id: Id,
    targetKind: OneOf(['user', 'group', 'app']),
    targetId: Id,
    changeKind: OneOf(historyKinds),
    previousIds: ids,
    newIds: ids,
    addedIds: ids,
    removedIds: ids,
    createdAt: Timestamp,
    actor: actorOrNull,
  }),
)

const filters = {
  actorUserId: Type.Optional(Type.Integer({ minimum: 0, maximum: 2147483647, description: '0 or absent: any actor' })),
  from: Type.Optional(CalendarDate),
  to: Type.Optional(CalendarDate),
}
export const HistoryFilters = Shape(filters)
export const HistoryQuery = Shape({ ...pageQuery(10), ...filters })

const logFilters = {
  action: Type.Optional(Type.String({ maxLength: 200, description: 'exactly this action' })),
  from: Type.Optional(CalendarDate),
  to: Type.Optional(CalendarDate),
  actorUserId: Type.Optional(Id),
  targetType: Type.Optional(Type.String({ maxLength: 200 })),
  targetId: Type.Optional(Id),
  forcedOnly: Type.Optional(Type.Boolean({ description: 'true: forced deletions only' })),
}
export const LogFilters = Shape(logFilters)
export const LogQuery = Shape({ ...pageQuery(50), ...logFilters })

const entries = PageOf(
  'entries',
  Shape({
    id: Id,
    action: Type.String(),
    targetType: Type.String(),
    targetId: Nullable(Id),
    metadata: Type.Unsafe<Record<string, unknown> | null>({ type: ['object', 'null'], additionalProperties: true }),
    createdAt: Timestamp,
    actor: actorOrNull,
  }),
)
export const AuditLogList = Shape({
  ...entries.properties,
  actions: Type.Array(Type.String(), { description: 'Every action that the whole log has a row of' }),
})

const Serial = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
export const VerificationQuery = Shape({
  from: Type.Optional(Type.Integer({ minimum: 1, maximum: 2147483647, default: 1, description: 'The number of the seal to begin with' })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 10_000, default: 1000, description: 'Seals at most; a call ends after 5 s besides' }),
  ),
})
const Found = Shape({
  kind: OneOf(['row', 'seal']),
  id: Serial,
  seal: Serial,
  at: Nullable(Timestamp),
  what: OneOf(['changed', 'missing', 'added', 'reordered']),
})
const LastSeal = Shape({
  id: Serial,
  hash: Type.String({ description: 'Kept elsewhere, it shows whether this seal and all before it are the same' }),
})
const orNull = <S extends TSchema>(shape: S) => Type.Unsafe<Static<S> | null>({ ...shape, type: ['object', 'null'] })

/** `valid` is of what this call covered: the seals from `from` up to `lastSeal`, and `checked` rows. */
export const Verification = Shape({
  valid: Type.Boolean({ description: 'Whether all that this call covered fits: the seals from `from` to `lastSeal`' }),
  checked: Type.Integer({ minimum: 0, description: 'Rows that fit' }),
  from: Serial,
  sealedUntil: Nullable(Timestamp),
  lastSeal: orNull(LastSeal),
  nextSeal: Nullable(
    Type.Integer({ minimum: 1, description: 'Where to go on; null at the end of the chain, and where something does not fit' }),
  ),
  firstMismatch: orNull(Found),
})
