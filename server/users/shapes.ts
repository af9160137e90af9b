import { Type } from 'typebox'
import { exampleAccount, examplePerson, newPerson, personFields } from '../accounts/shapes.ts'
import { OrderStatus } from '../orders/shapes.ts'
import { Count, Id, Ids, Line, Named, Nullable, OneOf, PageOf, pageQuery, Shape, Timestamp } from '../platform/http/shape.ts'

export const UserProfile = Named('UserProfile', Shape(personFields), examplePerson)
const counts = { noteCount: Count, orderCount: Count }
const exampleCounts = { noteCount: 8, orderCount: 21 }
/** What a refused deletion of a person counts. */
export const UserDeletionConflict = Named('UserDeletionConflict', Shape(counts), exampleCounts)
export const UserListItem = Named('UserInList', Shape({ ...personFields, ...counts }), { ...examplePerson, ...exampleCounts })

export const UserFilter = Shape({
  q: Type.Optional(Line({ max: 200, description: 'Part of the username, the e-mail address or a display name' })),
  groupId: Type.Optional(Id),
  status: Type.Optional(OneOf(['active', 'disabled'])),
})
export const NewUser = Named('NewUser', Shape({ ...newPerson, groupIds: Type.Optional(Ids) }), { ...exampleAccount, groupIds: [5] })
export const UserPatch = Named(
  'UserChanges',
  Shape({
    displayNameAr: newPerson.displayNameAr,
    displayNameEn: newPerson.displayNameEn,
    preferredLanguage: newPerson.preferredLanguage,
    isActive: Type.Optional(Type.Boolean()),
    groupIds: Type.Optional(Ids),
  }),
  { isActive: false, groupIds: [1, 5] },
)
export const Deletion = Shape({ force: Type.Optional(Type.Boolean({ default: false })) })

const RoleName = Line({ min: 1, max: 200 })
export const RoleGrant = Named('RoleGrant', Shape({ roleName: RoleName }), { roleName: 'finance' })
export const RoleGrantParams = Shape({ id: Id, roleName: RoleName })

export const DependentsQuery = Shape(pageQuery(50))
export const UserDependentNotesPage = Named(
  'UserDependentNotesPage',
  PageOf(
    'items',
    Named(
      'UserDependentNote',
      Shape({ id: Id, title: Type.String(), isPinned: Type.Boolean(), isArchived: Type.Boolean(), updatedAt: Timestamp }),
      { title: 'Visitors' },
    ),
  ),
)
export const UserDependentOrdersPage = Named(
  'UserDependentOrdersPage',
  PageOf(
    'items',
    Named(
      'UserDependentOrder',
      Shape({
        id: Id,
        status: OrderStatus,
        notes: Nullable(Type.String()),
        createdAt: Timestamp,
        serviceId: Id,
        serviceNameAr: Type.String(),
        serviceNameEn: Type.String(),
      }),
      { id: 31, serviceId: 3, serviceNameAr: 'قهوة', serviceNameEn: 'Coffee' },
    ),
  ),
)
