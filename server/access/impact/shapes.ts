import { type Static, Type } from 'typebox'
import { PersonSummary } from '../../people/users/shapes.ts'
import { Count, Id, Ids, Named, Nullable, OneOf, PartialShape, PersonIds, Shape } from '../../platform/http/shape.ts'
import { KeptReason } from '../explain/shapes.ts'

/** The most changes in one preview, and the most items that each list of the answer names. */
const MOST_CHANGES = 500
export const MOST_NAMED = 50

const sets = { userIds: PersonIds, groupIds: Ids, roleIds: Ids, appIds: Ids, permissionIds: Ids }
export type Field = keyof typeof sets

export const recordKinds = ['user', 'group', 'role', 'app', 'permission'] as const
export type RecordKind = (typeof recordKinds)[number]

const Sets = Named('ImpactSets', PartialShape(sets), { userIds: [12, 13] })
export const PlannedChange = Named(
  'PlannedChange',
  Shape({
    kind: OneOf(recordKinds),
    id: Id,
    delete: Type.Optional(Type.Boolean({ description: 'Deletes it, with `force` if it has dependents.' })),
    set: Type.Optional(
      Named('ImpactFields', PartialShape({ isActive: Type.Boolean({ description: 'Only for people and apps.' }), ...sets }), {
        roleIds: [4],
      }),
    ),
    add: Type.Optional(Sets),
    remove: Type.Optional(Sets),
  }),
  { kind: 'group', id: 5, remove: { userIds: [12] } },
)
export type PlannedChange = Static<typeof PlannedChange>

export const Plan = Named('ImpactPlan', Shape({ changes: Type.Array(PlannedChange, { minItems: 1, maxItems: MOST_CHANGES }) }), {})

const RoleRef = Named(
  'RoleRef',
  Shape({ id: Id, name: Type.String(), descriptionAr: Nullable(Type.String()), descriptionEn: Nullable(Type.String()) }),
  { id: 4, name: 'finance', descriptionAr: 'المالية', descriptionEn: 'Finance' },
)
const AppRef = Named('AppRef', Shape({ id: Id, slug: Type.String(), nameAr: Type.String(), nameEn: Type.String() }), {
  slug: 'travel',
  nameAr: 'السفر',
  nameEn: 'Travel',
})
const Kept = Named('KeptApp', Shape({ app: AppRef, via: KeptReason, role: Nullable(RoleRef) }), {
  role: null,
  via: { via: 'group', groupId: 5, groupName: 'Human Resources' },
})
const Gain = Named(
  'Gain',
  Shape({
    user: PersonSummary,
    roles: Type.Array(RoleRef),
    rolesCount: Count,
    apps: Type.Array(AppRef),
    appsCount: Count,
    keeps: Type.Array(Kept, { description: 'Apps that they lose one reason to see, but still see for another' }),
    keepsCount: Count,
  }),
  { rolesCount: 1, appsCount: 1, keepsCount: 1 },
)
export type Gain = Static<typeof Gain>

const people = (description: string) => Type.Array(Gain, { description: `${description}; the first ${MOST_NAMED} by name` })
export const Impact = Named(
  'Impact',
  Shape({
    loses: people('The people who lose roles or apps, with these'),
    losesCount: Count,
    gains: people('The people who gain roles or apps, with these'),
    gainsCount: Count,
    keeps: people('The people who lose a reason to see an app, but nothing else'),
    keepsCount: Count,
    ordersReturned: Type.Array(
      Named(
        'ReturnedOrder',
        Shape({
          orderId: Id,
          service: Named('ServiceRef', Shape({ id: Id, nameAr: Type.String(), nameEn: Type.String() }), {
            nameAr: 'ضيافة اجتماع',
            nameEn: 'Meeting hospitality',
          }),
          user: PersonSummary,
        }),
      ),
      { description: `Orders that \`user\` is working on and gives back; the first ${MOST_NAMED}` },
    ),
    ordersReturnedCount: Count,
    ordersLapsedCount: Type.Integer({
      minimum: 0,
      description: 'The orders waiting for approvals that lapse, because their beneficiary is deactivated or deleted',
    }),
    sessionsEnded: Type.Integer({ minimum: 0, description: 'The number of sessions of people who are deactivated or deleted' }),
    becomesAdmin: Type.Array(PersonSummary, { description: `The first ${MOST_NAMED} by name` }),
    becomesAdminCount: Count,
    ended: Type.Optional(
      Type.Array(Id, { description: 'For a revert: the members that do not come back, because the end of their grant is over.' }),
    ),
    lastAdmin: Type.Boolean({
      description: 'Whether no active administrator without an end would be left; saving is then refused with `last_admin`',
    }),
    self: Named('ImpactOnSelf', Shape({ losesAdmin: Type.Boolean() }), { losesAdmin: false }),
    unaffectedCount: Type.Integer({
      minimum: 0,
      description: 'The number of active people whom the changed records concern but who neither lose nor gain anything',
    }),
    noChange: Type.Boolean({ description: 'Whether everything would stay as it is' }),
  }),
  {
    losesCount: 1,
    gainsCount: 0,
    gains: [],
    keepsCount: 1,
    ordersReturnedCount: 1,
    ordersLapsedCount: 0,
    sessionsEnded: 0,
    becomesAdmin: [],
    becomesAdminCount: 0,
    lastAdmin: false,
    unaffectedCount: 12,
    noChange: false,
  },
)

/** The numbers of records that still use a role or a permission to be deleted. */
export const DeletionConflict = Named(
  'ImpactDeletionConflict',
  PartialShape({ userCount: Count, groupCount: Count, roleCount: Count, appCount: Count }),
  { userCount: 3, groupCount: 1 },
)
