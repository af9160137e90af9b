import { Type } from 'typebox'
import {
  AssetUrl,
  Count,
  Description,
  Id,
  Int,
  Line,
  Name,
  Named,
  Nullable,
  OneOf,
  PageOf,
  PartialShape,
  pageQuery,
  Shape,
  Timestamp,
} from '../../platform/http/shape.ts'
import { OrderStatus } from '../orders/shapes.ts'
import { Conditions, Key, NewConditions } from '../service-forms/shapes.ts'

const serviceFields = {
  id: Id,
  categoryId: Nullable(Id),
  nameAr: Type.String(),
  nameEn: Type.String(),
  descriptionAr: Nullable(Type.String()),
  descriptionEn: Nullable(Type.String()),
  imageUrl: Nullable(Type.String()),
  price: Nullable(Type.String()),
  isAvailable: Type.Boolean(),
  sortOrder: Int,
  createdAt: Timestamp,
  updatedAt: Timestamp,
}

const exampleNames = { nameAr: 'قهوة', nameEn: 'Coffee' }
const exampleService = { id: 3, categoryId: 2, ...exampleNames, price: 'Free' }

export const Service = Named('Service', Shape(serviceFields), exampleService)
export const ServiceInList = Named('ServiceInList', Shape({ ...serviceFields, orderCount: Count }), { ...exampleService, orderCount: 45 })
/** The counts in a refused deletion of a service. */
export const ServiceDeletionConflict = Named('ServiceDeletionConflict', Shape({ orderCount: Count }), { orderCount: 45 })
const exampleCategory = { nameAr: 'ضيافة', nameEn: 'Hospitality', sortOrder: 1 }
export const ServiceCategory = Named(
  'ServiceCategory',
  Shape({ id: Id, nameAr: Type.String(), nameEn: Type.String(), sortOrder: Int, createdAt: Timestamp }),
  exampleCategory,
)

const names = { nameAr: Name({ min: 1, max: 200 }), nameEn: Name({ min: 1, max: 200 }) }

export const ServiceEdit = Named(
  'ServiceChanges',
  PartialShape({
    ...names,
    categoryId: Nullable(Id),
    descriptionAr: Description,
    descriptionEn: Description,
    imageUrl: AssetUrl,
    price: Nullable(Line({ max: 100, description: 'Free text, shown unchanged.' })),
    isAvailable: Type.Boolean({ description: 'Only an available service can be ordered.' }),
    sortOrder: Int,
  }),
  { isAvailable: false },
)
export const NewService = Named('NewService', Shape({ ...ServiceEdit.properties, ...names }), {
  ...exampleNames,
  categoryId: 2,
  price: 'Free',
})

export const CategoryEdit = Named('ServiceCategoryChanges', PartialShape({ ...names, sortOrder: Int }), { sortOrder: 2 })
export const NewCategory = Named('NewServiceCategory', Shape({ ...CategoryEdit.properties, ...names }), exampleCategory)

export const Deletion = Shape({ force: Type.Optional(Type.Boolean({ default: false })) })

export const DependentsQuery = Shape(pageQuery(50))
export const ServiceDependentOrdersPage = Named(
  'ServiceDependentOrdersPage',
  PageOf(
    'items',
    Named(
      'ServiceDependentOrder',
      Shape({
        id: Id,
        status: OrderStatus,
        notes: Nullable(Type.String()),
        createdAt: Timestamp,
        userId: Id,
        username: Type.String(),
        displayNameAr: Nullable(Type.String()),
        displayNameEn: Nullable(Type.String()),
      }),
      { id: 31, userId: 12, username: 'sara.ahmed', displayNameAr: 'سارة أحمد', displayNameEn: 'Sara Ahmed' },
    ),
  ),
)

export const serviceEvents = {
  /** Sent to everyone when a service, a category or a team of services changed. */
  services_changed: Shape({}),
}

export const Minutes = (description: string) => Nullable(Type.Integer({ minimum: 1, maximum: 28_800, description }))
const handling = {
  audience: OneOf(['everyone', 'groups'], { default: 'everyone', description: 'Who may order it, and knows it' }),
  audienceGroupIds: Type.Array(Id, { maxItems: 100 }),
  teamId: Nullable(Id),
  receiveMinutes: Minutes('Working minutes from the placing until it is claimed; null: no target'),
  completeMinutes: Minutes('Working minutes from the placing until it is completed, not less than `receiveMinutes`; null: no target'),
  onBehalf: OneOf(['nobody', 'groups', 'everyone'], {
    default: 'nobody',
    description: 'Who may order it for somebody else, besides its team',
  }),
  onBehalfGroupIds: Type.Array(Id, { maxItems: 100 }),
  reopenDays: Type.Integer({
    ...{ minimum: 0, maximum: 30, default: 0 },
    description: 'For how many days after its first completion the requester may reopen an order',
  }),
}
const step = {
  manager: Type.Boolean({ default: false, description: 'Whether the manager of the person for whom it is approves it' }),
  userIds: Type.Array(Id, { maxItems: 100 }),
  groupIds: Type.Array(Id, { maxItems: 20 }),
  needed: Type.Integer({ minimum: 1, maximum: 5, default: 1, description: 'How many must approve; never more than there are' }),
}
/** More steps than a service may have, so that the refusal can name the limit. */
const STEPS_SENT = 20
const exampleStep = { key: 'manager', nameAr: 'المدير', nameEn: 'Manager', manager: true, userIds: [], groupIds: [], needed: 1, when: [] }
const NewStep = Named(
  'NewApprovalStep',
  Shape({
    key: Key,
    ...names,
    ...PartialShape(step).properties,
    when: Type.Optional(NewConditions('On answers; all must hold, or the step is left out.')),
  }),
  exampleStep,
)
const Step = Named(
  'ApprovalStep',
  Shape({ key: Type.String(), nameAr: Type.String(), nameEn: Type.String(), ...step, when: Conditions }),
  exampleStep,
)
const exampleHandling = { audience: 'groups' as const, audienceGroupIds: [5], teamId: 4, receiveMinutes: 15, completeMinutes: 60 }
/** Omitted fields get their defaults. */
export const NewHandling = Named(
  'NewServiceHandling',
  PartialShape({ ...handling, steps: Type.Array(NewStep, { maxItems: STEPS_SENT, description: 'Approvals before work, at most 3' }) }),
  { ...exampleHandling, steps: [exampleStep] },
)
export const ServiceHandling = Named(
  'ServiceHandling',
  Shape({
    ...handling,
    steps: Type.Array(Step),
    openGroupIds: Type.Array(Id, {
      description: 'The groups that can themselves be asked for. The `ETag` does not change with them.',
      isUntagged: true,
    }),
  }),
  { ...exampleHandling, steps: [exampleStep], openGroupIds: [] },
)
