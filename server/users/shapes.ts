import { Type } from 'typebox'
import { OrderStatus } from '../orders/shapes.ts'
import { Password } from '../platform/auth/passwords.ts'
import {
  Count,
  DisplayName,
  Id,
  Ids,
  LanguageCode,
  Line,
  Nullable,
  OneOf,
  PageOf,
  pageQuery,
  Shape,
  Timestamp,
} from '../platform/http/shape.ts'

export const clockStyles = ['full', 'digital', 'digital-no-seconds', 'analog', 'minimal'] as const

export const GroupSummary = Shape({
  id: Id,
  name: Type.String(),
  descriptionAr: Nullable(Type.String()),
  descriptionEn: Nullable(Type.String()),
})

/** What AuthUser and UserProfile share. */
export const personFields = {
  id: Id,
  username: Type.String(),
  email: Type.String(),
  displayNameAr: Nullable(Type.String()),
  displayNameEn: Nullable(Type.String()),
  preferredLanguage: Type.String(),
  clockStyle: Nullable(OneOf(clockStyles)),
  clockHour12: Nullable(Type.Boolean()),
  avatarUrl: Nullable(Type.String()),
  isActive: Type.Boolean(),
  roles: Type.Array(Type.String()),
  groups: Type.Array(GroupSummary),
  createdAt: Timestamp,
}

export const Username = Line({
  min: 1,
  max: 64,
  pattern: '^[\\p{L}\\p{Nd}._-]+$',
  description: 'Letters and digits of any script, `.`, `_` and `-`; unique without regard to case.',
})
export const Email = Line({ min: 3, max: 254, pattern: '^[^\\s\\p{Cf}@<>()\\[\\],;:"\\\\]+@[^\\s\\p{Cf}@<>()\\[\\],;:"\\\\]+$' })

export const newPerson = {
  username: Username,
  email: Email,
  password: Password,
  displayNameAr: Type.Optional(DisplayName),
  displayNameEn: Type.Optional(DisplayName),
  preferredLanguage: Type.Optional(LanguageCode),
}

export const UserProfile = Shape(personFields)
export const UserListItem = Shape({ ...personFields, noteCount: Count, orderCount: Count })

export const UserFilter = Shape({
  q: Type.Optional(Line({ max: 200, description: 'Part of the username, the e-mail address or a display name' })),
  groupId: Type.Optional(Id),
  status: Type.Optional(OneOf(['active', 'disabled'])),
})
export const NewUser = Shape({ ...newPerson, groupIds: Type.Optional(Ids) })
export const UserPatch = Shape({
  displayNameAr: newPerson.displayNameAr,
  displayNameEn: newPerson.displayNameEn,
  preferredLanguage: newPerson.preferredLanguage,
  isActive: Type.Optional(Type.Boolean()),
  groupIds: Type.Optional(Ids),
})
export const Deletion = Shape({ force: Type.Optional(Type.Boolean({ default: false })) })

const RoleName = Line({ min: 1, max: 200 })
export const RoleGrant = Shape({ roleName: RoleName })
export const RoleGrantParams = Shape({ id: Id, roleName: RoleName })

export const DependentsQuery = Shape(pageQuery(50))
export const UserDependentNotesPage = PageOf(
  'items',
  Shape({ id: Id, title: Type.String(), isPinned: Type.Boolean(), isArchived: Type.Boolean(), updatedAt: Timestamp }),
)
export const UserDependentOrdersPage = PageOf(
  'items',
  Shape({
    id: Id,
    status: OrderStatus,
    notes: Nullable(Type.String()),
    createdAt: Timestamp,
    serviceId: Id,
    serviceNameAr: Type.String(),
    serviceNameEn: Type.String(),
  }),
)
