import { Type } from 'typebox'
import { Id, OneOf, Shape } from '../platform/http/shape.ts'

export const AccessQuery = Shape({ userId: Id, appId: Id })

const Name = Type.String()
const names = { roleName: Type.Optional(Name), permissionName: Type.Optional(Name), groupName: Type.Optional(Name) }
const Reason = Shape({
  via: OneOf(['admin', 'unrestricted', 'permission', 'group'], {
    description:
      'By the role `admin`; because the app asks for nothing; by a permission, of the role named; by a grant to the group named. `groupName` beside a role is the group that gives it.',
  }),
  ...names,
})

export const Access = Shape({
  visible: Type.Boolean(),
  reasons: Type.Array(Reason, { description: 'Every reason why the person sees the app; empty when they do not.' }),
  wouldGrant: Type.Array(Reason, {
    description: 'What would make it visible, each by itself; empty when they see it already, or when the app or the person is inactive.',
  }),
})

const Direct = OneOf(['direct', 'group'])
export const EffectiveAccess = Shape({
  roles: Type.Array(Shape({ id: Id, name: Name, from: Type.Array(Shape({ via: Direct, groupName: Type.Optional(Name) })) })),
  permissions: Type.Array(
    Shape({ id: Id, name: Name, from: Type.Array(Shape({ via: Direct, roleName: Name, groupName: Type.Optional(Name) })) }),
  ),
  apps: Type.Array(Shape({ id: Id, slug: Name, nameAr: Name, nameEn: Name, reasons: Type.Array(Reason) }), {
    description: 'The apps on their launcher; none while the account is inactive.',
  }),
})
