import { Type } from 'typebox'
import { NamedGroups } from '../../people/roles/shapes.ts'
import {
  AFTER_SCHEME,
  AssetUrl,
  Count,
  Description,
  Id,
  Ids,
  Int,
  Line,
  Name,
  Named,
  Nullable,
  OneOf,
  PageOf,
  PartialShape,
  pageQuery,
  partQuery,
  Shape,
  Timestamp,
} from '../../platform/http/shape.ts'
import { cssColours } from './colours.ts'

const openModes = ['internal', 'external_tab', 'external_iframe'] as const
const OpenMode = Named('OpenMode', OneOf(openModes))

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
  openMode: OpenMode,
  color: Type.String(),
  isActive: Type.Boolean(),
  isSystem: Type.Boolean(),
  sortOrder: Int,
  createdAt: Timestamp,
  updatedAt: Timestamp,
}
const counts = { groupCount: Count, restrictionCount: Count, openCount: Count }

const exampleNames = { slug: 'travel', nameAr: 'السفر', nameEn: 'Travel', iconName: 'plane', route: '/travel', color: '#0a7' }
const exampleApp = { ...exampleNames, isSystem: false }
const exampleCounts = { groupCount: 2, restrictionCount: 1, openCount: 340 }

export const App = Named('App', Shape(appFields), exampleApp)
export const Apps = Type.Array(App)
export const AppInAdminList = Named('AppInAdminList', Shape({ ...appFields, ...counts }), { ...exampleApp, ...exampleCounts })
export const AppFilter = Shape({
  q: Type.Optional(Line({ max: 200, description: 'Part of the slug, a name or a description' })),
  ...partQuery,
})
/** An app of a launcher; with counts for administrators only. */
export const AppInLauncher = Named('AppInLauncher', Shape({ ...appFields, ...PartialShape(counts).properties }), {
  ...exampleApp,
  ...exampleCounts,
})
export const LauncherApps = Type.Array(AppInLauncher)

const Slug = Line({ min: 1, max: 100, pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', form: 'slug' })
const AppName = Name({ min: 1, max: 200 })
const IconName = Line({ min: 1, max: 100 })
/** A path on the portal itself; browsers read `//` and `/\` as another origin. */
const Route = Line({
  min: 1,
  max: 500,
  // Browsers read `%2e` as a dot.
  pattern: '^/(?!/)(?!([^?#]*/)?(\\.|%2[eE]){1,2}([/?#]|$))(?![^?#]*//)[^\\s\\\\]*$',
  form: 'route',
  description: 'It begins with exactly one `/`; its path has no `//` and no segment `.` or `..`.',
})
const ExternalUrl = Nullable(
  Line({
    max: 2000,
    clears: true,
    form: 'url',
    pattern: `^(|[hH][tT][tT][pP][sS]?${AFTER_SCHEME})$`,
    description: 'An http or https address without a user name. An empty text clears it.',
  }),
)
const Colour = Type.String({
  maxLength: 30,
  form: 'colour',
  pattern: `^(#([0-9a-fA-F]{3}){1,2}|${cssColours.join('|')})$`,
  description: '`#rgb`, `#rrggbb` or a CSS colour name in lower case.',
})

const editable = {
  nameAr: AppName,
  nameEn: AppName,
  descriptionAr: Description,
  descriptionEn: Description,
  iconName: IconName,
  imageUrl: AssetUrl,
  route: Route,
  externalUrl: ExternalUrl,
  openMode: Type.Unsafe<(typeof openModes)[number]>({ ...OpenMode, description: 'The external ones need an `externalUrl`.' }),
  color: Colour,
  isActive: Type.Boolean(),
  sortOrder: Int,
}
export const AppEdit = Named('AppChanges', PartialShape(editable), { nameEn: 'Travel', color: '#0a7', isActive: true })
export const NewApp = Named(
  'NewApp',
  Shape({
    ...AppEdit.properties,
    slug: Slug,
    nameAr: AppName,
    nameEn: AppName,
    iconName: IconName,
    route: Route,
    color: Colour,
    isSystem: Type.Optional(Type.Boolean()),
    permissionIds: Type.Optional(Ids),
  }),
  { ...exampleNames, permissionIds: [9] },
)

/** The counts of a refused deletion of an app. */
export const AppDeletionConflict = Named('AppDeletionConflict', Shape(counts), exampleCounts)
export const Deletion = Shape({ force: Type.Optional(Type.Boolean({ default: false })) })
export const AppOrder = Named('AppOrder', Shape({ order: Type.Array(Id, { maxItems: 10_000, uniqueItems: true }) }))

/** The visibility of an app, as a record that is edited. */
export const AppAccess = Named('AppAccess', Shape({ permissionIds: Ids, groupIds: Ids }), { permissionIds: [9], groupIds: [5] })
export const AppPermissionLink = Named('AppPermissionLink', Shape({ appId: Id, permissionId: Id }))
export const AppPermissionParams = Shape({ id: Id, permissionId: Id })
export const AppPermissionsImpact = Named(
  'AppPermissionsImpact',
  Shape({
    affectedUserCount: Count,
    currentlyVisibleUserCount: Count,
    groups: NamedGroups,
    noChange: Type.Boolean({ description: 'Whether the app requires exactly these permissions now.' }),
  }),
  { affectedUserCount: 14, currentlyVisibleUserCount: 90, noChange: false },
)

export const DependentsQuery = Shape(pageQuery(50))
const named = { id: Id, name: Type.String(), descriptionAr: Nullable(Type.String()), descriptionEn: Nullable(Type.String()) }
export const AppDependentGroupsPage = Named(
  'AppDependentGroupsPage',
  PageOf('items', Named('AppDependentGroup', Shape(named), { name: 'Finance' })),
)
export const AppDependentRestrictionsPage = Named(
  'AppDependentRestrictionsPage',
  PageOf(
    'items',
    Named('AppDependentRestriction', Shape({ ...named, roles: Type.Array(Type.String()) }), { name: 'portal.finance', roles: ['finance'] }),
  ),
)
export const AppDependentOpensPage = Named(
  'AppDependentOpensPage',
  PageOf(
    'items',
    Named(
      'AppDependentOpen',
      Shape({
        id: Count,
        createdAt: Timestamp,
        userId: Id,
        username: Type.String(),
        displayNameAr: Nullable(Type.String()),
        displayNameEn: Nullable(Type.String()),
        avatarUrl: Nullable(Type.String()),
      }),
      { id: 5120, userId: 12, username: 'sara.ahmed', displayNameAr: 'سارة أحمد', displayNameEn: 'Sara Ahmed' },
    ),
  ),
)

export const appEvents = {
  /** Sent to everyone whose visible apps may have changed. */
  apps_changed: Shape({}),
}
