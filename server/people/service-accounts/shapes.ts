import { Type } from 'typebox'
import { Count, DisplayName, Id, Line, Named, Nullable, Shape, Timestamp } from '../../platform/http/shape.ts'
import { newPerson } from '../users/shapes.ts'

const names = { nameAr: Nullable(Type.String()), nameEn: Nullable(Type.String()) }

export const ServiceAccount = Named(
  'ServiceAccount',
  Shape({
    id: Id,
    username: Type.String(),
    ...names,
    roleNames: Type.Array(Type.String(), { description: 'The roles that it holds directly, not through a group.' }),
    contactUserId: Nullable(Id),
    isActive: Type.Boolean(),
    tokenCount: { ...Count, description: 'How many tokens it has. The `ETag` does not change with it.', isUntagged: true },
    createdAt: Timestamp,
  }),
  { username: 'stock-report', nameAr: 'تقرير المخزون', nameEn: 'Stock report', roleNames: ['directory'], contactUserId: 12, tokenCount: 1 },
)

const fields = {
  nameAr: Type.Optional(DisplayName),
  nameEn: Type.Optional(DisplayName),
  roleNames: Type.Optional(Type.Array(Line({ min: 1, max: 200 }), { maxItems: 100 })),
  contactUserId: Type.Optional(Nullable({ ...Id, description: 'Who is told of its tokens, besides the administrators.' })),
  isActive: Type.Optional(Type.Boolean()),
}
const example = { nameAr: 'تقرير المخزون', nameEn: 'Stock report', roleNames: ['directory'], contactUserId: 12 }
export const NewServiceAccount = Named('NewServiceAccount', Shape({ username: newPerson.username, ...fields }), {
  username: 'stock-report',
  ...example,
})
export const ServiceAccountPatch = Named('ServiceAccountChanges', Shape(fields), example)

export const TokenParams = Shape({ id: Id, tokenId: Id })
