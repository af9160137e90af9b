import { Type } from 'typebox'
import { Id, Named, OneOf, Shape } from '../platform/http/shape.ts'

export const AccessQuery = Shape({ userId: Id, appId: Id })

const Name = Type.String()
const names = { roleName: Type.Optional(Name), permissionName: Type.Optional(Name), groupName: Type.Optional(Name) }
const Reason = Named(
  'AccessReason',
  Shape({
    via: OneOf(['admin', 'unrestricted', 'permission', 'group'], {
      description:
        'By the role `admin`; because the app asks for nothing; by a permission, of the role named; by a grant to the group named. `groupName` beside a role is the group that gives it.',
    }),
    ...names,
  }),
  { via: 'permission', roleName: 'finance', permissionName: 'portal.finance' },
)

export const Access = Named(
  'AccessExplanation',
  Shape({
    visible: Type.Boolean(),
    reasons: Type.Array(Reason, { description: 'Every reason why the person sees the app; empty when they do not.' }),
    wouldGrant: Type.Array(Reason, {
      description: 'What would make it visible, each by itself; empty when they see it already, or when the app or the person is inactive.',
    }),
  }),
  { wouldGrant: [] },
)

const Direct = Named('GrantOrigin', OneOf(['direct', 'group']))
export const EffectiveAccess = Named(
  'EffectiveAccess',
  Shape({
    roles: Type.Array(
      Named(
        'EffectiveRole',
        Shape({ id: Id, name: Name, from: Type.Array(Named('RoleSource', Shape({ via: Direct, groupName: Type.Optional(Name) }))) }),
        { name: 'finance' },
      ),
    ),
    permissions: Type.Array(
      Named(
        'EffectivePermission',
        Shape({
          id: Id,
          name: Name,
          from: Type.Array(
            Named('PermissionSource', Shape({ via: Direct, roleName: Name, groupName: Type.Optional(Name) }), { roleName: 'finance' }),
          ),
        }),
        { name: 'portal.finance' },
      ),
    ),
    apps: Type.Array(
      Named('EffectiveApp', Shape({ id: Id, slug: Name, nameAr: Name, nameEn: Name, reasons: Type.Array(Reason) }), {
        slug: 'travel',
        nameAr: 'السفر',
        nameEn: 'Travel',
      }),
      {
        description: 'The apps on their launcher; none while the account is inactive.',
      },
    ),
  }),
)
