/** The messages that a row of the ledger becomes: a list, written by hand, of the message types and their data for each kind of change. */
import { isObject } from '../../platform/is-object.ts'
import type { MessageType } from './types.ts'

/** A row of the ledger. `facts` is the metadata in the audit log if the log lists the change, else all facts of the change. */
export interface LedgerRow {
  id: number
  at: Date
  kind: string
  targetType: string
  targetId: number
  actorId: number | null
  actorUsername: string | null
  action: string | null
  facts: Record<string, unknown>
}
/** A message without the fields that all messages have. */
export interface Fact {
  type: MessageType
  data: Record<string, unknown>
}
type Writes = (row: LedgerRow) => Fact[]

interface Difference {
  from: unknown
  to: unknown
}
const changesOf = ({ facts }: LedgerRow) => (isObject(facts['changed']) ? facts['changed'] : {}) as Record<string, Difference>
const idsIn = (value: unknown) => (Array.isArray(value) ? value.filter((one): one is number => typeof one === 'number') : [])
const only = (type: MessageType, data: Record<string, unknown>, isSo = true): Fact[] => (isSo ? [{ type, data }] : [])

/** A message with the names of the changed fields except `but`; none if no other field changed. */
function updated(type: MessageType, id: Record<string, number>, row: LedgerRow, but: readonly string[] = []) {
  const fields = Object.keys(changesOf(row)).filter((field) => !but.includes(field))
  return only(type, { ...id, fields }, fields.length > 0)
}

type Member = 'userId' | 'roleId' | 'appId'
const typesOfMembers = {
  userId: 'group.members_changed',
  roleId: 'group.roles_changed',
  appId: 'group.apps_changed',
} as const satisfies Record<Member, MessageType>

/** The ids that a set gained and lost: a difference lists the gained ones in `to` and the lost ones in `from`. */
const lostAndGained = ({ from, to }: Difference = { from: [], to: [] }) => ({ added: idsIn(to), removed: idsIn(from) })

/** The message about a change of a group's members, or of a member's groups; none if nothing was added or removed. */
function membersMoved(member: Member, difference: Difference | undefined, pairOf: (id: number) => [groupId: number, id: number]) {
  const { added, removed } = lostAndGained(difference)
  const pairs = (ids: number[]) => ids.map(pairOf).map(([groupId, id]) => ({ groupId, [member]: id }))
  return only(typesOfMembers[member], { added: pairs(added), removed: pairs(removed) }, added.length + removed.length > 0)
}

/** The messages about the roles, apps and people that a group gained and lost. */
const setsMoved = (groupId: number, differenceOf: (member: Member) => Difference | undefined) =>
  (['roleId', 'appId', 'userId'] as const).flatMap((member) => membersMoved(member, differenceOf(member), (id) => [groupId, id]))

/** The message about one member, of any kind, that joined or left a group. */
const memberMoved = ({ targetId, facts }: LedgerRow, isNew: boolean) =>
  setsMoved(targetId, (member) => (isNew ? { from: [], to: [facts[member]] } : { from: [facts[member]], to: [] }))

const permissionsChanged = (type: MessageType, id: Record<string, number>, added: unknown, removed: unknown) => {
  const [addedPermissionIds, removedPermissionIds] = [idsIn(added), idsIn(removed)]
  return only(type, { ...id, addedPermissionIds, removedPermissionIds }, addedPermissionIds.length + removedPermissionIds.length > 0)
}
const rolesChanged = (userId: number, added: unknown, removed: unknown) => {
  const [addedRoleIds, removedRoleIds] = [idsIn(added), idsIn(removed)]
  return only('user.roles_changed', { userId, addedRoleIds, removedRoleIds }, addedRoleIds.length + removedRoleIds.length > 0)
}

const named =
  (type: MessageType, key: string): Writes =>
  ({ targetId }) =>
    only(type, { [key]: targetId })
const edited =
  (type: MessageType, key: string): Writes =>
  (row) =>
    updated(type, { [key]: row.targetId }, row)
const fixed =
  (type: MessageType, key: string, ...fields: string[]): Writes =>
  ({ targetId }) =>
    only(type, { [key]: targetId, fields })
const deleted =
  (type: MessageType, key: string): Writes =>
  ({ targetId, action }) =>
    only(type, { [key]: targetId, isForced: action?.endsWith('.force_delete') === true })
const pick = (facts: Record<string, unknown>, ...names: string[]) =>
  Object.fromEntries(names.flatMap((name) => (facts[name] === undefined ? [] : [[name, facts[name]]])))

/** Approvals move only orders that nobody has claimed, so these orders are pending and have no assignee. */
const atRest =
  (to: 'pending' | 'cancelled'): Writes =>
  ({ targetId: orderId }) =>
    only('order.moved', { orderId, from: 'pending', to, assignedTo: null })

/** The days of a meeting before and after, each once. */
const datesOf = ({ facts }: LedgerRow) =>
  [
    ...new Set([facts['before'], facts['after']].flatMap((one) => (isObject(one) && typeof one['date'] === 'string' ? [one['date']] : []))),
  ].sort()
const meetingChanged: Writes = (row) => only('meeting.changed', { meetingId: row.targetId, dates: datesOf(row) })

/** Messages of one row come in this order: deleted, deactivated, reactivated, created, roles, members, updated. */
const personCreated: Writes = ({ targetId: userId, facts }) => [
  ...only('user.created', { userId }),
  ...rolesChanged(userId, facts['roleIds'], []),
  ...membersMoved('userId', { from: [], to: facts['groupIds'] }, (groupId) => [groupId, userId]),
]
function personUpdated(row: LedgerRow) {
  const { targetId: userId } = row
  const { isActive, groupIds } = changesOf(row)
  return [
    ...only('user.deactivated', { userId }, isActive?.to === false),
    ...only('user.reactivated', { userId }, isActive?.to === true),
    ...membersMoved('userId', groupIds, (groupId) => [groupId, userId]),
    ...updated('user.updated', { userId }, row, ['isActive', 'groupIds']),
  ]
}
const groupCreated: Writes = ({ targetId: groupId, facts }) => [
  ...only('group.created', { groupId }),
  ...setsMoved(groupId, (member) => ({ from: [], to: facts[`${member}s`] })),
]
const groupUpdated: Writes = (row) => [
  ...setsMoved(row.targetId, (member) => changesOf(row)[`${member}s`]),
  ...updated('group.updated', { groupId: row.targetId }, row, ['userIds', 'roleIds', 'appIds']),
]
function appAccessReplaced(row: LedgerRow) {
  const { targetId: appId } = row
  const { permissionIds, groupIds } = changesOf(row)
  const permissions = lostAndGained(permissionIds)
  return [
    ...permissionsChanged('app.permissions_changed', { appId }, permissions.added, permissions.removed),
    ...membersMoved('appId', groupIds, (groupId) => [groupId, appId]),
  ]
}

/**
 * The kinds of changes that become messages. The data of messages has ids, names of fields and states, but no addresses, names of people or
 * texts by people.
 */
export const told: Record<string, Writes> = {
  'user.registered': personCreated,
  'user.created': personCreated,
  'user.updated': personUpdated,
  'user.manager_changed': fixed('user.updated', 'userId', 'manager'),
  'user.deleted': deleted('user.deleted', 'userId'),
  'user.role_added': ({ targetId, facts }) => rolesChanged(targetId, [facts['roleId']], []),
  'user.role_removed': ({ targetId, facts }) => rolesChanged(targetId, [], [facts['roleId']]),
  'user.role_expired': ({ targetId, facts }) => rolesChanged(targetId, [], [facts['roleId']]),
  'user.roles_replaced': (row) => {
    const { added, removed } = lostAndGained(changesOf(row)['roleIds'])
    return rolesChanged(row.targetId, added, removed)
  },

  'group.created': groupCreated,
  'group.restored': named('group.created', 'groupId'),
  'group.updated': groupUpdated,
  'group.request_policy_changed': edited('group.updated', 'groupId'),
  'group.adopted': fixed('group.updated', 'groupId', 'managedBy'),
  'group.released': fixed('group.updated', 'groupId', 'managedBy'),
  'group.member_added': (row) => memberMoved(row, true),
  'group.member_removed': (row) => memberMoved(row, false),
  'group.member_expired': (row) => memberMoved(row, false),
  'group.members_moved': ({ targetId, facts }) =>
    membersMoved('userId', { from: facts['removed'], to: facts['added'] }, (id) => [targetId, id]),
  'group.deleted': deleted('group.deleted', 'groupId'),

  'role.created': named('role.created', 'roleId'),
  'role.restored': ({ targetId: roleId, facts }) => [
    ...only('role.created', { roleId }),
    ...permissionsChanged('role.permissions_changed', { roleId }, facts['permissionIds'], []),
  ],
  'role.updated': edited('role.updated', 'roleId'),
  'role.permissions_replaced': ({ targetId: roleId, facts }) =>
    permissionsChanged('role.permissions_changed', { roleId }, facts['addedPermissionIds'], facts['removedPermissionIds']),
  'role.permission_added': ({ targetId: roleId, facts }) =>
    permissionsChanged('role.permissions_changed', { roleId }, [facts['permissionId']], []),
  'role.permission_removed': ({ targetId: roleId, facts }) =>
    permissionsChanged('role.permissions_changed', { roleId }, [], [facts['permissionId']]),
  'role.deleted': named('role.deleted', 'roleId'),

  /** The ledger also has a row of this kind for each permission of a new app. */
  'app.created': ({ targetId: appId, action, facts }) =>
    action === 'app.create'
      ? only('app.created', { appId })
      : permissionsChanged('app.permissions_changed', { appId }, [facts['permissionId']], []),
  'app.restored': named('app.created', 'appId'),
  'app.updated': edited('app.updated', 'appId'),
  'app.access_replaced': appAccessReplaced,
  'app.permission_added': ({ targetId: appId, facts }) =>
    permissionsChanged('app.permissions_changed', { appId }, [facts['permissionId']], []),
  'app.permission_removed': ({ targetId: appId, facts }) =>
    permissionsChanged('app.permissions_changed', { appId }, [], [facts['permissionId']]),
  'app.deleted': deleted('app.deleted', 'appId'),

  'service.created': named('service.created', 'serviceId'),
  'service.restored': named('service.created', 'serviceId'),
  'service.updated': edited('service.updated', 'serviceId'),
  'service.handling_changed': edited('service.updated', 'serviceId'),
  'service.notice_changed': fixed('service.updated', 'serviceId', 'notice'),
  'service.form_changed': fixed('service.updated', 'serviceId', 'form'),
  'service.deleted': deleted('service.deleted', 'serviceId'),

  'order.placed': ({ targetId: orderId, facts }) => only('order.placed', { orderId, ...pick(facts, 'serviceId') }),
  'order.moved': ({ targetId: orderId, facts }) =>
    only('order.moved', { orderId, ...pick(facts, 'from', 'to', 'wasAssignedTo', 'assignedTo') }),
  'order.reopened': ({ targetId: orderId, facts }) => only('order.moved', { orderId, ...pick(facts, 'from', 'to', 'assignedTo') }),
  'order.transferred': ({ targetId: orderId, facts }) =>
    only('order.moved', { orderId, to: 'pending', assignedTo: null, ...pick(facts, 'fromTeamId', 'toTeamId') }),
  'order.released': atRest('pending'),
  'order.denied': atRest('cancelled'),
  'order.lapsed': atRest('cancelled'),
  'order.deleted': ({ targetId: orderId, facts }) => only('order.deleted', { orderId, ...pick(facts, 'status') }),

  'meeting.created': meetingChanged,
  'meeting.updated': meetingChanged,
  'meeting.deleted': meetingChanged,
  'meeting.duplicated': meetingChanged,
  'meeting.reordered': meetingChanged,

  'token.created': ({ targetId: userId, facts }) => only('token.created', { userId, ...pick(facts, 'tokenId', 'scopes', 'expiresAt') }),
  'token.revoked': ({ targetId: userId, facts }) => only('token.revoked', { userId, ...pick(facts, 'tokenId', 'by') }),

  'source.held': named('provisioning.held', 'sourceId'),
  'source.updated': (row) => {
    const allow = changesOf(row)['allowance']?.to
    return only('provisioning.released', { sourceId: row.targetId, allow }, typeof allow === 'number')
  },
  'user.adoption_refused': named('provisioning.refused', 'userId'),

  'webhook.tested': named('webhook.test', 'webhookId'),
}

/** The kinds of changes of which no webhook is told, grouped by reason. */
export const untold: readonly string[] = [
  ...['note.created', 'note.deleted', 'note.filed', 'note.inspected', 'note.replied', 'note.sent', 'note.status_changed', 'note.updated'],
  ...[
    'note_folder.created',
    'note_folder.deleted',
    'note_folder.renamed',
    'note_label.created',
    'note_label.deleted',
    'note_label.updated',
  ],
  // Notifications, pushes, presences, sessions, preferences and objects concern only the person who has them.
  ...['notification.all_read', 'notification.read', 'push.subscribed', 'push.unsubscribed', 'presence.changed'],
  ...['session.confirmed', 'session.ended', 'session.started', 'user.sessions_ended', 'user.preferences_changed', 'apps.reordered'],
  ...['object.removed', 'object.requested', 'object.uploaded'],
  // No webhook is told of passwords, factors or ways to sign in.
  ...['factor.added', 'factor.removed', 'factor.used', 'factors.reset', 'passkey.renamed', 'totp.begun', 'totp.forgotten'],
  ...['recovery_code.used', 'recovery_codes.replaced', 'account.cleared', 'identity.linked', 'identity.unlinked'],
  ...['user.password_changed', 'user.password_reset', 'user.reset_asked', 'user.reset_link_issued', 'user.reset_link_mailed'],
  ...['user.invitation_mailed', 'user.broke_glass', 'sign_in_exception.added', 'sign_in_exception.removed', 'sign_in_settings.updated'],
  ...['provider.checked', 'provider.created', 'provider.deleted', 'provider.unreachable', 'provider.updated'],
  // The consequences of these changes have kinds of their own.
  ...['access_request.approved', 'access_request.denied', 'access_request.lapsed', 'access_request.made', 'access_request.reminded'],
  ...[
    'access_request.lapse_told',
    'access_request.withdrawn',
    'access_review.applied',
    'access_review.cancelled',
    'access_review.closing',
    'access_review.finished',
  ],
  ...['access_review.judged', 'access_review.opened', 'access_review.reminded', 'access_review.updated'],
  // Reminders, and hints to administrators.
  ...['user.reminded_of_end', 'user.reminded_of_enrolment', 'token.announced', 'source.announced', 'group.admin_kept'],
  ...['group.admins_moved', 'order.reminded', 'service.audience_emptied', 'service_team.unstaffed', 'job.retried', 'user.notes_inspected'],
  // Changed ends of grants, and the order of lists.
  ...['group.member_end_changed', 'user.role_end_changed', 'app.moved', 'app_order.changed', 'service.moved', 'service_order.changed'],
  ...['service_category.moved', 'service_category_order.changed'],
  // Conversations, approvals and waiting belong to the people of an order.
  ...['order.messaged', 'order.noted', 'order.resumed', 'order.waited', 'order.approved', 'order.approval_reminded', 'order.passed_on'],
  // Exports and calendar feeds, by which people take out data that they may read.
  ...['order.exported', 'calendar_feed.created', 'calendar_feed.deleted'],
  // Requests, tasks and print-outs of meetings.
  ...['meeting_request.made', 'meeting_request.moved', 'meeting_request.removed', 'meeting_task.created', 'meeting_task.deleted'],
  ...['meeting_task.updated', 'font_settings.deleted', 'font_settings.updated', 'pdf_archive.created', 'pdf_archive.given_up'],
  ...['pdf_archive.stored'],
  // No type of message is about these.
  ...['permission.created', 'permission.deleted', 'permission.restored', 'permission.updated', 'settings.updated'],
  ...['service_account.created', 'service_account.deleted', 'service_account.updated', 'service_category.created'],
  ...['service_category.deleted', 'service_category.restored', 'service_category.updated', 'service_team.created', 'service_team.deleted'],
  ...['service_team.updated', 'working_calendar.created', 'working_calendar.deleted', 'working_calendar.laid_out'],
  ...['working_calendar.updated'],
  ...['source.created', 'source.deleted', 'source.account_made', 'source.account_removed', 'user.adopted', 'user.adoption_allowed'],
  // The audit stream, and imports of people: the changes that an import makes have kinds of their own.
  ...['audit_stream.announced', 'audit_stream.sent', 'import.previewed', 'import.applying', 'import.progressed', 'import.finished'],
  ...['import.discarded', 'import.links_issued'],
  // Webhooks themselves.
  ...['webhook.created', 'webhook.updated', 'webhook.deleted', 'webhook.secret_rotated', 'webhook.paused', 'webhook.replayed'],
  ...['webhook.announced', 'webhook.sent'],
]

/** The kinds whose rows are read with their facts. */
export const toldKinds = Object.keys(told)
