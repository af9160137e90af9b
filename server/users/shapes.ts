import { Type } from 'typebox'
import { newPerson, personFields } from '../accounts/shapes.ts'
import { OrderStatus } from '../orders/shapes.ts'
import { Count, Id, Ids, Line, Nullable, OneOf, PageOf, pageQuery, Shape, Timestamp } from '../platform/http/shape.ts'

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
