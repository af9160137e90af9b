import { Type } from 'typebox'
import { GrantEnd } from '../../access/grants/shapes.ts'
import { Password } from '../../platform/auth/passwords.ts'
import {
  CalendarDate,
  Count,
  DisplayName,
  Id,
  IdList,
  Ids,
  LanguageCode,
  Line,
  Named,
  Nullable,
  OneOf,
  pageQuery,
  partQuery,
  Shape,
  sortQuery,
  Timestamp,
} from '../../platform/http/shape.ts'
import { verdictFields } from '../../platform/http/verdicts.ts'
import { accountNames } from '../../platform/text.ts'

const clockStyles = ['full', 'digital', 'digital-no-seconds', 'analog', 'minimal'] as const
export const ClockStyle = Named('ClockStyle', OneOf(clockStyles))

const GroupSummary = Named(
  'GroupSummary',
  Shape({
    id: Id,
    name: Type.String(),
    descriptionAr: Nullable(Type.String()),
    descriptionEn: Nullable(Type.String()),
  }),
  { id: 1, name: 'Everyone' },
)

/** A person as everybody sees them. */
export const PersonSummary = Named(
  'PersonSummary',
  Shape({
    id: Id,
    username: Type.String(),
    displayNameAr: Nullable(Type.String()),
    displayNameEn: Nullable(Type.String()),
    avatarUrl: Nullable(Type.String()),
  }),
  { id: 12, username: 'sara.ahmed', displayNameAr: 'سارة أحمد', displayNameEn: 'Sara Ahmed' },
)

/** The fields of an account that its owner and administrators see. */
export const personFields = {
  id: Id,
  username: Type.String(),
  email: Type.String(),
  displayNameAr: Nullable(Type.String()),
  displayNameEn: Nullable(Type.String()),
  preferredLanguage: Type.String(),
  clockStyle: Nullable(ClockStyle),
  clockHour12: Nullable(Type.Boolean()),
  avatarUrl: Nullable(Type.String()),
  isActive: Type.Boolean(),
  roles: Type.Array(Type.String()),
  groups: Type.Array(GroupSummary),
  createdAt: Timestamp,
}

export const examplePerson = {
  id: 12,
  username: 'sara.ahmed',
  email: 'sara.ahmed@example.org',
  displayNameAr: 'سارة أحمد',
  displayNameEn: 'Sara Ahmed',
  preferredLanguage: 'ar',
  roles: ['user'],
}
const Username = Line({
  ...accountNames.username,
  form: 'username',
  description:
    'Letters of any script with their marks, digits, `.`, `_` and `-`, none of them invisible; unique regardless of case. A name with letters beyond ASCII that looks like an existing name counts as taken.',
})
const Email = Line({
  ...accountNames.email,
  description: 'An e-mail address; unique regardless of case.',
  form: 'email',
})

export const newPerson = {
  username: Username,
  email: Email,
  password: Password,
  displayNameAr: Type.Optional(DisplayName),
  displayNameEn: Type.Optional(DisplayName),
  preferredLanguage: Type.Optional(LanguageCode),
}
const RoleName = Line({ min: 1, max: 200 })
export const exampleAccount = {
  username: 'sara.ahmed',
  email: 'sara.ahmed@example.org',
  password: 'a long password',
  displayNameAr: 'سارة أحمد',
  displayNameEn: 'Sara Ahmed',
}
const profileFields = {
  ...personFields,
  roleIds: Type.Array(Id, { description: 'The roles that the person holds directly, not through a group.' }),
  lastSeenAt: Type.Unsafe<Date | null>({
    ...Nullable(Timestamp),
    description: 'When they last used the portal, to the hour; null if they never did. The `ETag` does not change with it.',
    isUntagged: true,
  }),
  invitation: Nullable(
    OneOf(['pending', 'accepted'], {
      description: 'Whether a person who was invited has chosen a password; null for all others. The `ETag` does not change with it.',
      isUntagged: true,
    }),
  ),
}
const exampleProfile = { ...examplePerson, roleIds: [2] }
export const UserProfile = Named('UserProfile', Shape(profileFields), exampleProfile)
const counts = { noteCount: Count, orderCount: Count }
const exampleCounts = { noteCount: 8, orderCount: 21 }
/** The counts in the refusal of a deletion. */
export const UserDeletionConflict = Named('UserDeletionConflict', Shape(counts), exampleCounts)
export const UserListItem = Named('UserInList', Shape({ ...profileFields, ...counts }), { ...exampleProfile, ...exampleCounts })

const filterFields = {
  q: Type.Optional(Line({ max: 200, description: 'Part of the username, the e-mail address or a display name' })),
  groupId: Type.Optional(Id),
  sourceId: Type.Optional(Type.Integer({ ...Id, description: 'The source that manages them' })),
  role: Type.Optional(Line({ max: 200, description: 'The name of a role that they hold, directly or through a group' })),
  status: Type.Optional(OneOf(['active', 'disabled'])),
  seenBefore: Type.Optional(
    Type.Unsafe<string>({
      ...CalendarDate,
      description: 'YYYY-MM-DD, in the time zone of the office: only people who were last seen before this day, or never',
    }),
  ),
  ids: Type.Optional(IdList),
}
export const UserFilter = Shape({
  kind: Type.Optional(OneOf(['person', 'service'], { description: 'People, or service accounts instead.' })),
  ...filterFields,
  ...sortQuery(['name', 'createdAt', 'lastSeenAt']),
  ...partQuery,
})

/** The most people changed at once. */
export const MOST_CHANGED = 5000
const Few = { maxItems: 100 }
export const UsersChange = Named(
  'UsersChange',
  Shape({
    ids: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: MOST_CHANGED })),
    filter: Type.Optional(Named('UserFilter', Shape(filterFields))),
    set: Named(
      'UsersSet',
      Shape({
        isActive: Type.Optional(Type.Boolean()),
        preferredLanguage: newPerson.preferredLanguage,
        addGroupIds: Type.Optional(Type.Array(Id, Few)),
        removeGroupIds: Type.Optional(Type.Array(Id, Few)),
        addRoleNames: Type.Optional(Type.Array(RoleName, Few)),
        removeRoleNames: Type.Optional(Type.Array(RoleName, Few)),
      }),
      { isActive: false, removeGroupIds: [5] },
    ),
  }),
  { ids: [12, 13] },
)
export const UsersChanged = Named(
  'UsersChanged',
  Shape({
    doneIds: Type.Array(Id, { description: 'The people who are now as requested.' }),
    changedIds: Type.Array(Id, { description: 'Those of them whom this call changed.' }),
    failed: Type.Array(Named('FailedPerson', Shape({ id: Id, ...verdictFields }), { code: 'last_admin' })),
  }),
)
export const PastedTexts = Named('PastedTexts', Shape({ texts: Type.Array(Line({ max: 500 }), { maxItems: 500 }) }), {
  texts: ['sara.ahmed', 'محمد'],
})
export const ResolvedText = Named('ResolvedText', Shape({ text: Type.String(), matches: Type.Array(PersonSummary) }), {
  text: 'sara.ahmed',
})
export const NewUser = Named(
  'NewUser',
  Shape({
    ...newPerson,
    password: Type.Optional(Password),
    invite: Type.Optional(Type.Boolean({ description: 'Instead of a password: the person chooses one with a link.' })),
    groupIds: Type.Optional(Ids),
  }),
  { ...exampleAccount, groupIds: [5] },
)
export const UserPatch = Named(
  'UserChanges',
  Shape({
    displayNameAr: newPerson.displayNameAr,
    displayNameEn: newPerson.displayNameEn,
    email: Type.Optional(Email),
    avatarUrl: Type.Optional(Type.Null({ description: 'Removes the picture; only its owner can choose one.' })),
    preferredLanguage: newPerson.preferredLanguage,
    isActive: Type.Optional(Type.Boolean()),
    groupIds: Type.Optional(Ids),
  }),
  { isActive: false, groupIds: [1, 5] },
)
export const Deletion = Shape({ force: Type.Optional(Type.Boolean({ default: false })) })

export const RoleGrant = Named('RoleGrant', Shape({ roleName: RoleName, expiresAt: GrantEnd }), { roleName: 'finance' })
export const RoleSet = Named('RoleSet', Shape({ roleIds: Ids }), { roleIds: [2, 4] })
export const RoleGrantParams = Shape({ id: Id, roleName: RoleName })

export const DependentsQuery = Shape(pageQuery(50))

export const userEvents = {
  me_changed: Shape(
    {},
    {
      description:
        'To the person, when their profile, preferences, roles, groups, order of apps, or folders or labels of notes change, no matter who made the change.',
    },
  ),
}
