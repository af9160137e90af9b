import { Type } from 'typebox'
import { Count, Id, Name, Named, Nullable, OneOf, PartialShape, Shape, Timestamp } from '../../platform/http/shape.ts'

const exampleNames = { nameAr: 'دعم تقنية المعلومات', nameEn: 'IT support' }
const names = { nameAr: Name({ min: 1, max: 200 }), nameEn: Name({ min: 1, max: 200 }) }
const GroupIds = Type.Array(Id, {
  minItems: 1,
  maxItems: 20,
  description: 'Their members with `orders.receive` do the team’s orders.',
})
const LeadIds = Type.Array(Id, { maxItems: 20, description: 'The people who answer for the team; they need not receive orders.' })

const CalendarId = Nullable(Type.Integer({ ...Id, description: 'The calendar by which it works; null: the default one.' }))

const nameFields = { id: Id, nameAr: Type.String(), nameEn: Type.String() }
const teamFields = {
  ...nameFields,
  groupIds: Type.Array(Id),
  leadUserIds: Type.Array(Id),
  calendarId: CalendarId,
  serviceCount: Type.Integer({
    minimum: 0,
    description: 'How many services the team does. The `ETag` does not change with it.',
    isUntagged: true,
  }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}
const exampleTeam = { ...exampleNames, groupIds: [5], leadUserIds: [12], calendarId: null, serviceCount: 3 }
export const ServiceTeam = Named('ServiceTeam', Shape(teamFields), exampleTeam)
export const ListedTeam = Named(
  'ListedServiceTeam',
  Shape({
    ...teamFields,
    counts: Type.Optional(
      Named(
        'ServiceTeamCounts',
        Shape(
          { pending: Count, mine: Count, late: Count },
          { description: 'The orders that wait, that the caller is working on, and that are late; only in `mine`.' },
        ),
        { pending: 4, mine: 1, late: 0 },
      ),
    ),
  }),
  exampleTeam,
)

export const TeamName = Named('ServiceTeamName', Shape(nameFields), { id: 4, ...exampleNames })

export const TeamsQuery = Shape({
  view: Type.Optional(
    OneOf(['mine', 'all'], { default: 'mine', description: '`mine`: those the caller receives for or leads; `all`: for administrators' }),
  ),
})
export const ServiceTeamEdit = Named(
  'ServiceTeamChanges',
  PartialShape({ ...names, groupIds: GroupIds, leadUserIds: LeadIds, calendarId: CalendarId }),
  {
    leadUserIds: [12],
  },
)
export const NewServiceTeam = Named('NewServiceTeam', Shape({ ...ServiceTeamEdit.properties, ...names, groupIds: GroupIds }), {
  ...exampleNames,
  groupIds: [5],
  leadUserIds: [12],
})
/** The counts in a refused deletion of a team. */
export const TeamDeletionConflict = Named('ServiceTeamDeletionConflict', Shape({ serviceCount: Count, openOrderCount: Count }), {
  serviceCount: 3,
  openOrderCount: 2,
})
