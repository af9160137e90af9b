/** The types of messages, and the data of each besides the fields that all have. */
import { type TProperties, Type } from 'typebox'
import { Id, Named, Nullable, OneOf, Shape, Timestamp } from '../../platform/http/shape.ts'

const Ids = Type.Array(Id)
const Fields = Type.Array(Type.String(), { description: 'The names of the fields that changed.' })
const isForced = Type.Boolean({ description: 'Whether it took along what belonged to it.' })
const person = { userId: Id }
const group = { groupId: Id }
const role = { roleId: Id }
const app = { appId: Id }
const service = { serviceId: Id }
const order = { orderId: Id }
const OrderState = OneOf(['pending', 'received', 'preparing', 'completed', 'cancelled'])
const Assignee = Type.Optional(Nullable(Id))

/** The fields `added` and `removed`: pairs of a group and a member. */
const moves = (member: 'userId' | 'roleId' | 'appId') => {
  const Pair = Shape({ groupId: Id, [member]: Id } as { groupId: typeof Id } & Record<typeof member, typeof Id>)
  return { added: Type.Array(Pair), removed: Type.Array(Pair) }
}

/** Each type with a sentence about what happened, and the schema of its facts. */
const messageTypes = {
  'user.created': ['A person has an account: an administrator, a provider or they themselves made it.', person],
  'user.updated': ['Fields of a person changed. Who is active, roles and groups have types of their own.', { ...person, fields: Fields }],
  'user.deactivated': ['A person was deactivated.', person],
  'user.reactivated': ['A person was made active again.', person],
  'user.deleted': ['A person was deleted.', { ...person, isForced }],
  'user.roles_changed': [
    'A person got or lost roles of their own; those of their groups are not counted.',
    { ...person, addedRoleIds: Ids, removedRoleIds: Ids },
  ],
  'group.created': ['A group was created or came back.', group],
  'group.updated': ['Fields of a group changed. Members, roles and apps have types of their own.', { ...group, fields: Fields }],
  'group.members_changed': ['People came into groups or left them.', moves('userId')],
  'group.roles_changed': ['Groups give roles, or give them no longer.', moves('roleId')],
  'group.apps_changed': ['Groups open apps, or open them no longer.', moves('appId')],
  'group.deleted': ['A group was deleted.', { ...group, isForced }],
  'role.created': ['A role was created or came back.', role],
  'role.updated': ['Fields of a role changed.', { ...role, fields: Fields }],
  'role.permissions_changed': ['A role gained or lost permissions.', { ...role, addedPermissionIds: Ids, removedPermissionIds: Ids }],
  'role.deleted': ['A role was deleted.', role],
  'app.created': ['An app was created or came back.', app],
  'app.updated': ['Fields of an app changed.', { ...app, fields: Fields }],
  'app.permissions_changed': [
    'An app demands permissions, or demands them no longer.',
    { ...app, addedPermissionIds: Ids, removedPermissionIds: Ids },
  ],
  'app.deleted': ['An app was deleted.', { ...app, isForced }],
  'service.created': ['A service was created or came back.', service],
  'service.updated': ['Fields of a service, of its form or of how it is done changed.', { ...service, fields: Fields }],
  'service.deleted': ['A service was deleted.', { ...service, isForced }],
  'order.placed': ['Somebody placed an order.', { ...order, serviceId: Id }],
  'order.moved': [
    'An order got another status, another assignee or another team, or its last approval.',
    {
      ...order,
      from: Type.Optional(OrderState),
      to: OrderState,
      wasAssignedTo: Assignee,
      assignedTo: Assignee,
      fromTeamId: Type.Optional(Nullable(Id)),
      toTeamId: Type.Optional(Id),
    },
  ],
  'order.deleted': ['An order was deleted.', { ...order, status: OrderState }],
  'meeting.changed': [
    'A meeting was created, changed, moved or deleted.',
    { meetingId: Id, dates: Type.Array(Type.String(), { description: 'The days before and after the change, YYYY-MM-DD.' }) },
  ],
  'token.created': ['An API token was made.', { tokenId: Id, userId: Id, scopes: Type.Array(Type.String()), expiresAt: Timestamp }],
  'token.revoked': [
    'Somebody ended an API token. Those that end with their time, with their account or with all its sessions are not told of.',
    { tokenId: Id, userId: Id, by: OneOf(['owner', 'administrator', 'finder']) },
  ],
  'provisioning.held': ['The deactivations of a directory are held, because they are too many.', { sourceId: Id }],
  'provisioning.released': ['An administrator let held deactivations through.', { sourceId: Id, allow: Type.Integer() }],
  'provisioning.refused': ['A directory may not take over an account, because nobody has proven its address.', { userId: Id }],
  'webhook.test': ['An administrator tried this webhook.', { webhookId: Id }],
} as const satisfies Record<string, readonly [string, TProperties]>

export type MessageType = keyof typeof messageTypes
export const typeNames = Object.keys(messageTypes) as MessageType[]
const areaOf = (type: string) => type.slice(0, type.indexOf('.'))
/** `user.*` for `user.created`. */
export const areaWildcard = (type: string) => `${areaOf(type)}.*`

/** The choices of a webhook: single types, and all types of an area. */
export const choices = [...new Set(typeNames.flatMap((type) => [areaWildcard(type), type]))]

const Actor = Named('WebhookActor', Shape({ id: Id, username: Type.String() }), { id: 1, username: 'admin' })
const common = {
  sequence: Type.Integer({
    minimum: 1,
    description: 'Where the change stands in the ledger: it grows. Drop what is older than what you have.',
  }),
  targetType: Type.String({ examples: ['user'] }),
  targetId: Id,
  actor: { ...Nullable(Actor), description: 'Null: the portal itself.' },
  truncated: Type.Optional(Type.Literal(true, { description: 'The lists were longer than 8 KiB and are cut: read the record.' })),
}
const nameOf = (type: string) => `${type.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}Webhook`

/** The shape of the message of each type, as it is sent. */
export const messages = typeNames.map((type) => {
  const [summary, facts] = messageTypes[type]
  const shape = Shape({
    type: OneOf([type]),
    timestamp: { ...Timestamp, description: 'When it happened; the same at every try.' },
    data: Shape({ ...facts, ...common }),
  })
  return { type, summary, body: Named(nameOf(type), shape) }
})
