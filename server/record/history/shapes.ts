import { type TSchema, Type } from 'typebox'
import { Impact } from '../../access/impact/shapes.ts'
import { CountedDetail } from '../../people/groups/shapes.ts'
import { Permission, Role, RolePermissions } from '../../people/roles/shapes.ts'
import { UserProfile } from '../../people/users/shapes.ts'
import { Id, Named, OneOf, Shape } from '../../platform/http/shape.ts'
import { AppSettings } from '../../site/settings/shapes.ts'
import { App, AppAccess } from '../../work/apps/shapes.ts'
import { WorkingCalendar } from '../../work/calendars/shapes.ts'
import { PlacedMeeting } from '../../work/meetings/meetings/shapes.ts'
import { Task } from '../../work/meetings/tasks/shapes.ts'
import { ServiceTeam } from '../../work/service-teams/shapes.ts'
import { Service, ServiceCategory, ServiceHandling } from '../../work/services/shapes.ts'

const historyNames = [
  'role',
  'group',
  'user',
  'app',
  'settings',
  'meeting',
  'task',
  'service_handling',
  'service_team',
  'working_calendar',
  'audit',
] as const
export type HistoryName = (typeof historyNames)[number]

const EntryId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
export const EntryParams = Shape({
  kind: OneOf(historyNames, {
    description:
      'The kind of history. `role`, `group`, `user` and `app` are the histories of sets, as their `audit` lists them. The others are entries of the audit log; `audit` takes entries about any record.',
  }),
  entryId: EntryId,
})
export const MeetingsEntryParams = Shape({ entryId: EntryId })
export const Reverting = Named(
  'Reverting',
  Shape({
    dryRun: Type.Optional(Type.Boolean({ description: 'Returns the consequences or the refusal, and changes nothing.' })),
    overwrite: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          'The `version` of a `changed_since`: also reverts fields that have changed since, if they still have the values of that refusal.',
      }),
    ),
  }),
  { dryRun: true },
)

const ended = Type.Array(Id, { description: 'The members, groups or roles whose grants do not come back, because their time is over.' })
const RevertedUser = Named('RevertedUser', Shape({ ...UserProfile.properties, ended }), { ended: [] })
const RevertedGroup = Named('RevertedGroup', Shape({ ...CountedDetail.properties, ended }), { ended: [] })
/** The replies of the commands that restore grants, by their `operationId`. */
export const withEnded = new Map<string, TSchema>([
  ['changeUser', RevertedUser],
  ['replaceUserRoles', RevertedUser],
  ['changeGroup', RevertedGroup],
])

/** The result of a dry run, or the record as the manual change would return it; a record with grants also has `ended`. */
export const Reverted = Named(
  'Reverted',
  Type.Unsafe<Record<string, unknown>>({
    anyOf: [
      Impact,
      UserProfile,
      RevertedUser,
      CountedDetail,
      RevertedGroup,
      Role,
      RolePermissions,
      App,
      AppAccess,
      AppSettings,
      PlacedMeeting,
      Task,
      Permission,
      Service,
      ServiceCategory,
      ServiceHandling,
      ServiceTeam,
      WorkingCalendar,
    ],
  }),
)

/** As `Reverted`, for the log of meetings. */
export const RevertedMeetings = Named('RevertedMeetings', Type.Unsafe<Record<string, unknown>>({ anyOf: [Impact, PlacedMeeting, Task] }))

const Value = Type.Unsafe<unknown>({})
export const ChangedSince = Named(
  'ChangedSinceEntry',
  Shape({
    version: Type.String({ description: 'The version of the current values of these fields, for `overwrite`.' }),
    fields: Type.Array(
      Named('FieldChangedSince', Shape({ field: Type.String(), from: Value, to: Value, now: Value }), {
        field: 'descriptionEn',
        from: 'Finance',
        to: 'Finances',
        now: 'Accounts',
      }),
      { description: 'For each field, the values before and after the entry, and the current one.' },
    ),
  }),
)
