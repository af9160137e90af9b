import { Type } from 'typebox'
import { PersonSummary } from '../../people/users/shapes.ts'
import { Count, Id, Line, Moment, Named, Nullable, OneOf, PageOf, pageQuery, Shape, Timestamp } from '../../platform/http/shape.ts'

export const AccessQuery = Shape({ userId: Id, appId: Id })
const at = Type.Optional(Type.String({ ...Moment, description: 'A moment that is not later than now; now if it is omitted' }))
export const PastQuery = Shape({ at })
export const PastAccessQuery = Shape({ userId: Id, appId: Id, at })

const Name = Type.String()
const role = { roleId: Id, roleName: Name }
const optional = {
  roleId: Type.Optional(Id),
  roleName: Type.Optional(Name),
  permissionId: Type.Optional(Id),
  permissionName: Type.Optional(Name),
}
const group = { groupId: Type.Optional(Id), groupName: Type.Optional(Name) }
/** The end of the membership or direct role on which a source rests. */
const EndOfSource = Type.Unsafe<Date | null>({
  ...Nullable(Timestamp),
  description: 'The end of the membership or role on which it rests; null: none.',
})
const via = OneOf(['admin', 'unrestricted', 'permission', 'group'], {
  description:
    'By the role `admin`; because the app requires nothing; by a permission of the given role; by a grant to the given group. `groupName` next to a role is the group that gives the role.',
})
const exampleReason = { via: 'permission', roleId: 4, roleName: 'finance', permissionId: 9, permissionName: 'portal.finance' } as const
const AccessReason = Named('AccessReason', Shape({ via, ...optional, ...group, expiresAt: EndOfSource }), exampleReason)
/** A reason that a previewed change leaves in place. */
export const KeptReason = Named('KeptReason', Shape({ via, ...optional, ...group }), exampleReason)

export const Access = Named(
  'AccessExplanation',
  Shape({
    visible: Type.Boolean(),
    reasons: Type.Array(AccessReason, { description: 'Every reason why the person sees the app; empty if they do not.' }),
    wouldGrant: Type.Array(AccessReason, {
      description: 'Each of these alone would make it visible; empty if they already see it, or if the app or the person is inactive.',
    }),
  }),
  { wouldGrant: [] },
)

const Direct = Named('GrantOrigin', OneOf(['direct', 'group']))
export const RoleSource = Named('RoleSource', Shape({ via: Direct, ...group, expiresAt: EndOfSource }))
export const EffectiveAccess = Named(
  'EffectiveAccess',
  Shape({
    roles: Type.Array(Named('EffectiveRole', Shape({ id: Id, name: Name, from: Type.Array(RoleSource) }), { name: 'finance' })),
    permissions: Type.Array(
      Named(
        'EffectivePermission',
        Shape({
          id: Id,
          name: Name,
          from: Type.Array(
            Named('PermissionSource', Shape({ via: Direct, ...role, ...group, expiresAt: EndOfSource }), { roleName: 'finance' }),
          ),
        }),
        { name: 'portal.finance' },
      ),
    ),
    apps: Type.Array(
      Named('EffectiveApp', Shape({ id: Id, slug: Name, nameAr: Name, nameEn: Name, reasons: Type.Array(AccessReason) }), {
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

const peopleQuery = {
  q: Type.Optional(Line({ max: 200, description: 'Part of the username, the e-mail address or a display name' })),
  ...pageQuery(50),
}
export const AudienceQuery = Shape(peopleQuery)
export const AppAudiencePage = Named(
  'AppAudiencePage',
  PageOf('items', Named('AppViewer', Shape({ user: PersonSummary, reasons: Type.Array(AccessReason) }))),
)
export const HoldersQuery = Shape({
  effective: Type.Optional(Type.Boolean({ default: false, description: 'true: also the people who have the role only through a group' })),
  ...peopleQuery,
})
export const RoleHoldersPage = Named(
  'RoleHoldersPage',
  PageOf('items', Named('RoleHolder', Shape({ user: PersonSummary, isActive: Type.Boolean(), from: Type.Array(RoleSource) }))),
)

export const gives = ['role.add', 'group.member', 'group.app', 'permission.app'] as const
export const withdrawals = ['role.remove', 'group.member.remove', 'group.app.remove', 'permission.app.remove'] as const
/** The most ways in an answer. */
export const MOST_WAYS = 50
/** The most apps listed in `alsoApps` of one way; `alsoAppsCount` counts them all. */
export const MOST_APPS = 50

const WayRef = Nullable(
  Named('AccessWayRef', Shape({ id: Id, name: Name, descriptionAr: Nullable(Type.String()), descriptionEn: Nullable(Type.String()) }), {
    id: 4,
    name: 'finance',
  }),
)
export const AccessWay = Named(
  'AccessWay',
  Shape({
    act: OneOf([...gives, ...withdrawals], {
      description:
        'Give the person the role; put them into the group; grant the app to the group; let the app require the permission as an alternative to those that it already requires. With `.remove`, the reverse.',
    }),
    refs: Named('AccessWayRefs', Shape({ role: WayRef, group: WayRef, permission: WayRef })),
    reasons: Type.Array(AccessReason, {
      description: 'The reasons why the person would then see the app; for a removal, those that it ends.',
    }),
    alsoApps: Type.Array(
      Named('AccessWayApp', Shape({ id: Id, slug: Name, nameAr: Name, nameEn: Name }), {
        slug: 'travel',
        nameAr: 'السفر',
        nameEn: 'Travel',
      }),
      { maxItems: MOST_APPS, description: `The other apps that the person would also see, or would lose; the first ${MOST_APPS} of more.` },
    ),
    alsoAppsCount: Count,
    alsoPeopleCount: Type.Integer({ minimum: 0, description: 'The number of other people who would also see the app, or would lose it.' }),
  }),
  {
    act: 'role.add',
    refs: { role: { id: 4, name: 'finance', descriptionAr: null, descriptionEn: null }, group: null, permission: null },
    alsoAppsCount: 1,
    alsoPeopleCount: 0,
  },
)
export const AccessWays = Type.Array(AccessWay)
