import { Type } from 'typebox'
import {
  AssetUrl,
  Count,
  Description,
  Id,
  Ids,
  Int,
  Line,
  Nullable,
  OneOf,
  PageOf,
  PartialShape,
  pageQuery,
  Shape,
  Timestamp,
} from '../platform/http/shape.ts'
import { NamedGroups } from '../roles/shapes.ts'
import { cssColours } from './colours.ts'

const openModes = ['internal', 'external_tab', 'external_iframe'] as const

const appFields = {
  id: Id,
  slug: Type.String(),
  nameAr: Type.String(),
  nameEn: Type.String(),
  descriptionAr: Nullable(Type.String()),
  descriptionEn: Nullable(Type.String()),
  iconName: Type.String(),
  imageUrl: Nullable(Type.String()),
  route: Type.String(),
  externalUrl: Nullable(Type.String()),
  openMode: OneOf(openModes),
  color: Type.String(),
  isActive: Type.Boolean(),
  isSystem: Type.Boolean(),
  sortOrder: Int,
  createdAt: Timestamp,
  updatedAt: Timestamp,
}
const counts = { groupCount: Count, restrictionCount: Count, openCount: Count }

export const App = Shape(appFields)
export const Apps = Type.Array(App)
export const AppInAdminList = Shape({ ...appFields, ...counts })
/** The launcher's list; the counts are there for administrators. */
export const LauncherApps = Type.Array(Shape({ ...appFields, ...PartialShape(counts).properties }))

const Slug = Line({ min: 1, max: 100, pattern: '^[a-z0-9]+(-[a-z0-9]+)*$' })
const Name = Line({ min: 1, max: 200 })
const IconName = Line({ min: 1, max: 100 })
/** A path on the portal itself: browsers take `//` and `/\` for another site. */
const Route = Line({ min: 1, max: 500, pattern: '^/(?!/)[^\\s\\\\]*$', description: 'Begins with exactly one `/`.' })
const ExternalUrl = Nullable(Line({ max: 2000, pattern: '^[hH][tT][tT][pP][sS]?://[^\\s\\u0000-\\u001F<>"\\\\^`{|}]+$' }))
const Colour = Type.String({
  maxLength: 30,
  pattern: `^(#([0-9a-fA-F]{3}){1,2}|${cssColours.join('|')})$`,
  description: '`#rgb`, `#rrggbb` or a CSS colour name in lower case.',
})

const editable = {
  nameAr: Name,
  nameEn: Name,
  descriptionAr: Description,
  descriptionEn: Description,
  iconName: IconName,
  imageUrl: AssetUrl,
  route: Route,
  externalUrl: ExternalUrl,
  openMode: OneOf(openModes, { description: 'The external ones need an `externalUrl`.' }),
  color: Colour,
  isActive: Type.Boolean(),
  sortOrder: Int,
}
export const AppEdit = PartialShape(editable)
export const NewApp = Shape({
  ...AppEdit.properties,
  slug: Slug,
  nameAr: Name,
  nameEn: Name,
  iconName: IconName,
  route: Route,
  color: Colour,
  isSystem: Type.Optional(Type.Boolean()),
  permissionIds: Type.Optional(Ids),
})

export const Deletion = Shape({ force: Type.Optional(Type.Boolean({ default: false })) })
export const AppOrder = Shape({ order: Type.Array(Id, { maxItems: 10_000, uniqueItems: true }) })

export const AppPermissionLink = Shape({ appId: Id, permissionId: Id })
export const AppPermissionParams = Shape({ id: Id, permissionId: Id })
export const AppPermissionsImpact = Shape({
  affectedUserCount: Count,
  currentlyVisibleUserCount: Count,
  groups: NamedGroups,
  noChange: Type.Boolean(),
})

export const DependentsQuery = Shape(pageQuery(50))
const named = { id: Id, name: Type.String(), descriptionAr: Nullable(Type.String()), descriptionEn: Nullable(Type.String()) }
export const AppDependentGroupsPage = PageOf('items', Shape(named))
export const AppDependentRestrictionsPage = PageOf('items', Shape({ ...named, roles: Type.Array(Type.String()) }))
export const AppDependentOpensPage = PageOf(
  'items',
  Shape({
    id: Count,
    createdAt: Timestamp,
    userId: Id,
    username: Type.String(),
    displayNameAr: Nullable(Type.String()),
    displayNameEn: Nullable(Type.String()),
    avatarUrl: Nullable(Type.String()),
  }),
)

export const appEvents = {
  /** To everyone whose visible apps may have changed. */
  apps_changed: Shape({}),
}
