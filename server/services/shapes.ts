import { Type } from 'typebox'
import { OrderStatus } from '../orders/shapes.ts'
import {
  AssetUrl,
  Count,
  Description,
  Id,
  Int,
  Line,
  Nullable,
  PageOf,
  PartialShape,
  pageQuery,
  Shape,
  Timestamp,
} from '../platform/http/shape.ts'

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

export const Service = Shape(serviceFields)
export const ServiceInList = Shape({ ...serviceFields, orderCount: Count })
export const ServiceCategory = Shape({ id: Id, nameAr: Type.String(), nameEn: Type.String(), sortOrder: Int, createdAt: Timestamp })

const names = { nameAr: Line({ min: 1, max: 200 }), nameEn: Line({ min: 1, max: 200 }) }

export const ServiceEdit = PartialShape({
  ...names,
  categoryId: Nullable(Id),
  descriptionAr: Description,
  descriptionEn: Description,
  imageUrl: AssetUrl,
  price: Nullable(Line({ max: 100, description: 'Free text, shown as it is.' })),
  isAvailable: Type.Boolean({ description: 'Only an available service can be ordered.' }),
  sortOrder: Int,
})
export const NewService = Shape({ ...ServiceEdit.properties, ...names })

export const CategoryEdit = PartialShape({ ...names, sortOrder: Int })
export const NewCategory = Shape({ ...CategoryEdit.properties, ...names })

export const Deletion = Shape({ force: Type.Optional(Type.Boolean({ default: false })) })

export const DependentsQuery = Shape(pageQuery(50))
export const ServiceDependentOrdersPage = PageOf(
  'items',
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
)
