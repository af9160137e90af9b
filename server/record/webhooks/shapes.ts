import { Type } from 'typebox'
import {
  Count,
  Id,
  Line,
  Moment,
  Name,
  Named,
  Nullable,
  OneOf,
  PageOf,
  pageQuery,
  Shape,
  ShownOnce,
  Timestamp,
} from '../../platform/http/shape.ts'
import { lastErrors, MOST_REPLAYED } from './rules.ts'
import { choices, typeNames } from './types.ts'

const Choice = Named('WebhookChoice', OneOf(choices, { description: 'A type of messages, or all types of an area.' }))
const Types = Type.Array(Choice, { minItems: 1, maxItems: choices.length, uniqueItems: true })
const Url = Line({
  min: 1,
  max: 2000,
  description:
    'An https address without an account; http, and an internal host, only if the operator names it in `WEBHOOK_INTERNAL_HOSTS`.',
})
const name = Name({ min: 1, max: 60 })
const untagged = { isUntagged: true } as const

export const pauses = ['administrator', 'failures', 'gone', 'no_secret'] as const
const fields = {
  id: Id,
  name: Type.String(),
  url: Type.String(),
  types: Type.Array(Choice),
  isActive: Type.Boolean(),
  state: OneOf(['working', 'failing', 'paused'], {
    description: '`failing`: no message was delivered since one failed, or could not be signed.',
    ...untagged,
  }),
  pausedBecause: Type.Unsafe<(typeof pauses)[number] | null>({
    ...Nullable(OneOf(pauses)),
    description:
      'Who or what paused it: an administrator, 72 hours without a success, an answer of 410, or a secret that is lost or cannot be read, after which it needs a new one. Null while it is active.',
    ...untagged,
  }),
  failingSince: Type.Unsafe<Date | null>({ ...Nullable(Timestamp), ...untagged }),
  restsUntil: Type.Unsafe<Date | null>({
    ...Nullable(Timestamp),
    description: 'Until when nothing is sent, because the receiver answered 429 or asked for a rest.',
    ...untagged,
  }),
  behind: {
    ...Count,
    description: 'How many messages wait; while it is paused, with those that it misses, of which 10,000 are counted.',
    ...untagged,
  },
  skipped: Type.Boolean({
    description: 'It was switched on again after a pause of more than 30 days: what was older was left out.',
    ...untagged,
  }),
  formerSecretUntil: Type.Unsafe<Date | null>({
    ...Nullable(Timestamp),
    description: 'Until when the former secret signs along.',
    ...untagged,
  }),
  createdBy: Nullable(
    Named('WebhookMaker', Shape({ id: Id, username: Type.String() }), {
      username: 'admin',
    }),
  ),
  createdAt: Timestamp,
}
const example = {
  name: 'Stock',
  url: 'https://stock.example.org/hooks/portal',
  types: ['user.*', 'order.placed'],
  isActive: true,
  state: 'working' as const,
  pausedBecause: null,
  failingSince: null,
  restsUntil: null,
  behind: 0,
  skipped: false,
  formerSecretUntil: null,
}
export const Webhook = Named('Webhook', Shape(fields), example)
const secret = ShownOnce(Type.String({ description: 'What signs the messages; it is never shown again.' }))
const exampleSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='
export const CreatedWebhook = Named('CreatedWebhook', Shape({ ...fields, secret }), { ...example, secret: exampleSecret })
export const WebhookSecret = Named('WebhookSecret', Shape({ secret }), { secret: exampleSecret })

const { name: exampleName, url: exampleUrl, types: exampleTypes } = example
export const NewWebhook = Named(
  'NewWebhook',
  Shape({ name, url: Url, types: Types, isActive: Type.Optional(Type.Boolean({ description: 'True if it is omitted.' })) }),
  { name: exampleName, url: exampleUrl, types: exampleTypes, isActive: true },
)
export const WebhookEdit = Named(
  'WebhookEdit',
  Shape({
    name: Type.Optional(name),
    url: Type.Optional(Url),
    types: Type.Optional(Types),
    isActive: Type.Optional(Type.Boolean()),
    resume: Type.Optional(
      OneOf(['missed', 'now'], {
        description:
          'Where a paused one goes on when it is switched on: with what it missed within the last 30 days, or with what comes from now on; then what waits is given up. `missed` if it is omitted.',
      }),
    ),
  }),
  { isActive: true, resume: 'missed' },
)
export const Rotation = Named(
  'WebhookRotation',
  Shape({
    keepHours: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 168, description: 'How long the present secret signs along; 24 if it is omitted.' }),
    ),
  }),
  { keepHours: 24 },
)

const states = ['waiting', 'delivered', 'dead'] as const
const delivery = {
  sequence: Type.Integer({ minimum: 1 }),
  part: Type.Integer({ minimum: 1, description: 'Above 1 where one change is several messages.' }),
  messageId: Type.String({ description: 'The header `webhook-id`.', examples: ['msg_3_4711'] }),
  type: OneOf(typeNames),
  state: OneOf(states, { description: '`dead`: given up after 20 tries, or left out when the webhook was switched on again.' }),
  tries: Count,
  lastStatus: Nullable(Type.Integer({ minimum: 100, maximum: 999 })),
  lastError: Type.Unsafe<(typeof lastErrors)[number] | null>({
    ...Nullable(OneOf(lastErrors)),
    description: 'Why the last try failed: `address` is an address that may not be asked, `status` an answer other than 2xx.',
  }),
  lastMs: Type.Unsafe<number | null>({ ...Nullable(Count), description: 'How long the last try took, in milliseconds.' }),
  nextAt: Nullable(Timestamp),
  deliveredAt: Nullable(Timestamp),
  eventAt: Type.Unsafe<Date>({ ...Timestamp, description: 'When it happened.' }),
}
const exampleDelivery = {
  sequence: 4711,
  part: 1,
  type: 'order.placed' as const,
  state: 'delivered' as const,
  tries: 1,
  lastStatus: 204,
  lastError: null,
  lastMs: 41,
  nextAt: null,
}
const WebhookDelivery = Named('WebhookDelivery', Shape(delivery), exampleDelivery)
export const WebhookDeliveryPage = Named('WebhookDeliveryPage', PageOf('deliveries', WebhookDelivery))
export const DeliveriesQuery = Shape({
  state: Type.Optional(OneOf(states)),
  type: Type.Optional(OneOf(typeNames)),
  ...pageQuery(50),
})
export const DeliveryParams = Shape({ id: Id, sequence: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [4711] }) })
export const DeliveryQuery = Shape({ part: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 1 })) })
export const WebhookMessage = Named(
  'WebhookMessage',
  Shape({ ...delivery, body: Type.String({ description: 'The JSON text as it was sent, which is what is signed.' }) }),
  { ...exampleDelivery, body: '{"type":"order.placed","timestamp":"2026-03-01T08:30:00.000Z","data":{"orderId":7,"serviceId":3}}' },
)

export const Replay = Named(
  'WebhookReplay',
  Shape({
    sequences: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
        minItems: 1,
        maxItems: MOST_REPLAYED,
        uniqueItems: true,
      }),
    ),
    from: Type.Optional(Moment),
    to: Type.Optional(Moment),
  }),
  { sequences: [4711, 4712] },
)
export const Replayed = Named('WebhookReplayed', Shape({ count: Count }), { count: 2 })

export const webhookEvents = {
  webhooks_changed: Shape(
    {},
    { description: 'To administrators, when webhooks are set up or changed, and from time to time while messages go out.' },
  ),
}
