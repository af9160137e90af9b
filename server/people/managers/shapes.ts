import { Type } from 'typebox'
import { Id, Named, Nullable, Shape } from '../../platform/http/shape.ts'
import { PersonSummary } from '../users/shapes.ts'

export const NewManager = Named('NewManager', Shape({ userId: Nullable(Id) }), { userId: 12 })
export const Manager = Named(
  'Manager',
  Shape({ userId: Nullable(Type.Integer({ ...Id, description: 'The manager; null: none' })), manager: Nullable(PersonSummary) }),
  { userId: 12 },
)

const MOST_MANAGERS = 1000
export const SomeManagers = Named(
  'ManagerSelection',
  Shape({ items: Type.Array(Shape({ userId: Id, managerId: Nullable(Id) }), { minItems: 1, maxItems: MOST_MANAGERS }) }),
  { items: [{ userId: 31, managerId: 12 }] },
)
export const ManagersChanged = Named(
  'ManagersChanged',
  Shape({
    doneIds: Type.Array(Id, { description: 'The people who now have the manager that was asked for' }),
    failedIds: Type.Array(Id, { description: 'Those who do not exist, or whose manager does not, is inactive or is themselves' }),
  }),
  { doneIds: [31], failedIds: [] },
)
