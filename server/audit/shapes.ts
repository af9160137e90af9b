import { Type } from 'typebox'
import { CalendarDate, Id, Nullable, OneOf, PageOf, pageQuery, Shape, Timestamp } from '../platform/shape.ts'

export const historyKinds = ['user.roles', 'user.groups', 'group.users', 'group.roles', 'group.apps', 'app.permissions'] as const

export const AuditActor = Shape({
  id: Id,
  username: Type.String(),
  displayNameAr: Nullable(Type.String()),
  displayNameEn: Nullable(Type.String()),
  avatarUrl: Nullable(Type.String()),
})
const ids = Type.Array(Id)
const actorOrNull = Type.Unsafe<{
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
