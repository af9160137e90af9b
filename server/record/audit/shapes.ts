import { type Static, type TSchema, Type } from 'typebox'
import { CalendarDate, Count, Id, Line, Named, Nullable, OneOf, PageOf, pageQuery, Shape, Timestamp } from '../../platform/http/shape.ts'

const historyKinds = ['user.roles', 'user.groups', 'group.users', 'group.roles', 'group.apps', 'app.permissions'] as const

export const AuditActor = Named(
  'AuditLogActor',
  Shape({
    id: Id,
    username: Type.String(),
    displayNameAr: Nullable(Type.String()),
    displayNameEn: Nullable(Type.String()),
    avatarUrl: Nullable(Type.String()),
  }),
  { id: 1, username: 'admin' },
)
const ids = Type.Array(Id)
/** A reference to the entry that an entry reverted. */
export const revertOf = Nullable(
  Named(
    'RevertOf',
    Shape({ kind: Type.String(), entryId: Type.Integer({ minimum: 1 }) }, { description: 'The entry that this one reverted.' }),
    {
      kind: 'group',
      entryId: 812,
    },
  ),
)
const Text = Nullable(Type.String())
const Described = Named('NameThen', Shape({ name: Type.String(), descriptionAr: Text, descriptionEn: Text }), { name: 'finance' })
const PersonThen = Named('PersonNameThen', Shape({ username: Type.String(), displayNameAr: Text, displayNameEn: Text }), {
  username: 'sara.ahmed',
})
const inBoth = { nameAr: Type.String(), nameEn: Type.String() }
const AppThen = Named('AppNameThen', Shape({ slug: Type.String(), ...inBoth }), { slug: 'travel', nameAr: 'السفر', nameEn: 'Travel' })
const InBoth = Named('NamesThen', Shape(inBoth), { nameAr: 'قهوة', nameEn: 'Coffee' })
const TitlesThen = Named('TitlesThen', Shape({ titleAr: Text, titleEn: Text }), { titleAr: 'الميزانية', titleEn: 'Budget' })
const byId = <S extends TSchema>(shape: S) =>
  Type.Optional(Type.Unsafe<Record<string, Static<S>>>({ type: 'object', additionalProperties: shape }))
/** The names for the ids in an entry. */
export const Refs = Named(
  'AuditRefs',
  Shape(
    {
      users: byId(PersonThen),
      groups: byId(Described),
      roles: byId(Described),
      permissions: byId(Described),
      apps: byId(AppThen),
      services: byId(InBoth),
      serviceCategories: byId(InBoth),
      serviceTeams: byId(InBoth),
      workingCalendars: byId(InBoth),
      meetings: byId(TitlesThen),
    },
    { description: 'The names for the ids in the entry, as they were then: the first 100 of each kind.' },
  ),
  { users: { 12: { username: 'sara.ahmed', displayNameAr: 'سارة أحمد', displayNameEn: 'Sara Ahmed' } } },
)
const names = Type.Array(Type.String(), {
  description: 'The names of these, in the same order; deleted records have their last names.',
})
export const actorOrNull = Nullable(AuditActor)

export const RolePermissionAuditList = Named(
  'RolePermissionAuditList',
  PageOf(
    'entries',
    Named(
      'RolePermissionAuditEntry',
      Shape({
        id: Id,
        roleId: Id,
        previousPermissionIds: ids,
        newPermissionIds: ids,
        addedPermissionIds: ids,
        removedPermissionIds: ids,
        addedNames: names,
        removedNames: names,
        refs: Refs,
        createdAt: Timestamp,
        actor: actorOrNull,
        revertOf,
      }),
      {
        previousPermissionIds: [3, 4],
        newPermissionIds: [4, 9],
        addedPermissionIds: [9],
        removedPermissionIds: [3],
        addedNames: ['portal.it'],
        removedNames: ['portal.hr'],
      },
    ),
  ),
)

const EndMoment = Type.Unsafe<string | null>(Nullable(Timestamp))
export const PermissionAuditList = Named(
  'PermissionAuditList',
  PageOf(
    'entries',
    Named(
      'PermissionAuditEntry',
      Shape({
        id: Id,
        targetKind: OneOf(['user', 'group', 'app']),
        targetId: Id,
        changeKind: OneOf(historyKinds),
        previousIds: ids,
        newIds: ids,
        addedIds: ids,
        removedIds: ids,
        addedNames: names,
        removedNames: names,
        ends: Type.Array(Named('EndOfGrant', Shape({ id: Id, from: EndMoment, to: EndMoment }), { to: null }), {
          description: 'The ends of memberships and roles that the change gave, changed or took; null: no end.',
        }),
        refs: Refs,
        createdAt: Timestamp,
        actor: actorOrNull,
        revertOf,
      }),
      { previousIds: [3, 4], newIds: [4, 9], addedIds: [9], removedIds: [3], addedNames: ['reviewer'], removedNames: ['editor'] },
    ),
  ),
)

const filters = {
  actorUserId: Type.Optional(Type.Integer({ minimum: 0, maximum: 2147483647, description: '0 or absent: any actor' })),
  from: Type.Optional(CalendarDate),
  to: Type.Optional(CalendarDate),
}
export const HistoryFilters = Shape(filters)
export const HistoryQuery = Shape({ ...pageQuery(10), ...filters })

const logFilters = {
  action: Type.Optional(
    Type.Array(Type.String({ maxLength: 200 }), { maxItems: 50, description: 'Exactly this action; given several times, any of them' }),
  ),
  q: Type.Optional(
    Line({
      max: 200,
      description:
        'Part of a name in the entry: of the actor, of the target, or of another record, as it was then. Case, diacritics and letter variants are ignored.',
    }),
  ),
  from: Type.Optional(CalendarDate),
  to: Type.Optional(CalendarDate),
  actorUserId: Type.Optional(Id),
  targetType: Type.Optional(Type.String({ maxLength: 200 })),
  targetId: Type.Optional(Id),
  forcedOnly: Type.Optional(Type.Boolean({ description: 'true: forced deletions only' })),
}
export const LogFilters = Shape(logFilters)
export const LogQuery = Shape({
  ...pageQuery(50),
  before: Type.Optional(
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'The id of an entry: only those that are older' }),
  ),
  ...logFilters,
})
export const LogCountsQuery = Shape({ ...logFilters, from: CalendarDate, to: CalendarDate })
/** The most days in one answer. */
export const MOST_DAYS = 92
export const LogCounts = Type.Array(Named('AuditLogDay', Shape({ date: CalendarDate, count: Count }), { date: '2026-03-01', count: 14 }))

const entries = PageOf(
  'entries',
  Named(
    'AuditLogEntry',
    Shape({
      id: Id,
      action: Type.String(),
      targetType: Type.String(),
      targetId: Nullable(Id),
      metadata: Type.Unsafe<Record<string, unknown> | null>({
        type: ['object', 'null'],
        additionalProperties: true,
        description:
          '`changed` has the old and the new value of each changed field, as `from` and `to`. For a set of ids, `from` has only the ids that left, and `to` only those that joined; entries of earlier versions have the whole sets.',
      }),
      createdAt: Timestamp,
      actor: actorOrNull,
      revertOf,
      refs: Refs,
    }),
    { action: 'user.update', targetType: 'user', metadata: { changed: { isActive: { from: true, to: false } } } },
  ),
)
export const AuditLogList = Named(
  'AuditLogList',
  Shape({
    ...entries.properties,
    actions: Type.Array(Type.String(), { description: 'Every action that occurs in the whole log' }),
  }),
  { actions: ['app.create', 'user.update'] },
)

const Serial = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })
export const VerificationQuery = Shape({
  from: Type.Optional(Type.Integer({ minimum: 1, maximum: 2147483647, default: 1, description: 'The number of the seal to begin with' })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 10_000, default: 1000, description: 'The most seals to compare; a call also ends after 5 s' }),
  ),
  seal: Type.Optional(
    Type.String({
      pattern: '^[1-9][0-9]{0,9}\\.[0-9a-f]{64}$',
      form: 'seal',
      description: 'A seal stored earlier, which the chain must contain',
    }),
  ),
})
/** A seal in the form in which people store it outside the portal. */
export const HandedSeal = Named(
  'HandedSeal',
  Shape({
    id: Serial,
    at: Timestamp,
    seal: Type.String({ description: 'Pass it to `verify` to show that nothing before this moment was changed' }),
  }),
  { id: 1440, seal: '1440.9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' },
)
const Found = Named(
  'LedgerMismatch',
  Shape({
    kind: OneOf(['row', 'seal']),
    id: Serial,
    seal: Serial,
    at: Nullable(Timestamp),
    what: OneOf(['changed', 'missing', 'added', 'reordered']),
  }),
)
const LastSeal = Named(
  'LedgerSeal',
  Shape({
    id: Serial,
    hash: Type.String({ description: 'If it is also stored elsewhere, it shows whether this seal and all earlier ones are unchanged' }),
  }),
  { id: 1440, hash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08' },
)
/** `valid` and `checked` are about this call alone: the seals from `from` up to `lastSeal`, and the number of their rows. */
export const Verification = Named(
  'LedgerVerification',
  Shape({
    valid: Type.Boolean({ description: 'Whether the rows match the seals from `from` to `lastSeal`' }),
    checked: Type.Integer({ minimum: 0, description: 'Rows that match' }),
    from: Serial,
    sealedUntil: Nullable(Timestamp),
    lastSeal: Nullable(LastSeal),
    nextSeal: Nullable(
      Type.Integer({ minimum: 1, description: 'The seal to continue with; null at the end of the chain and at a mismatch' }),
    ),
    firstMismatch: Nullable(Found),
  }),
  { checked: 8200, sealedUntil: '2026-03-01T08:30:00.000Z', firstMismatch: null },
)

export const auditEvents = {
  /** An entry of the log, sent to administrators. `version` is the id of the entry. */
  admin_changed: Shape({
    targetType: Type.String(),
    targetId: Nullable(Id),
    action: Type.String(),
    actorId: Nullable(Id),
    version: Serial,
  }),
}
