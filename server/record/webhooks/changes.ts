import { type Static, Type } from 'typebox'
import { findAdministrators } from '../../platform/auth/last-admin.ts'
import { kind, type Notice } from '../../platform/changes/change-kind.ts'
import type { Tx } from '../../platform/database/db.ts'
import { OneOf } from '../../platform/http/shape.ts'
import { pauses } from './shapes.ts'

const Named = { name: Type.String() }
/** `url` is only the origin of the address. */
const Settings = { ...Named, url: Type.String(), types: Type.Array(Type.String()) }
const targetType = 'webhook'
const webhooksChanged = async (tx: Tx) => [{ event: 'webhooks_changed' as const, data: {}, to: await findAdministrators(tx) }]

const news = ['hour', 'day', 'paused', 'gone', 'no_secret', 'dead'] as const
/** `makerId`: the person who set the webhook up, who may no longer be an administrator. */
const Announced = Type.Object({ ...Named, news: OneOf(news), makerId: Type.Union([Type.Integer(), Type.Null()]) })

const templates = {
  hour: 'webhook_failing_hour',
  day: 'webhook_failing_day',
  paused: 'webhook_paused',
  gone: 'webhook_gone',
  no_secret: 'webhook_without_secret',
  dead: 'webhook_gave_up',
} as const

async function announcement(tx: Tx, { name, news, makerId }: Static<typeof Announced>): Promise<Notice[]> {
  const recipients = [...new Set([...(await findAdministrators(tx)), ...(makerId === null ? [] : [makerId])])]
  const params = { ar: { name }, en: { name } }
  return [{ recipients, type: 'system', template: templates[news], params, relatedType: null, relatedId: null }]
}

export const webhookChanges = {
  'webhook.created': kind({
    targetType,
    facts: Type.Object(Settings),
    isSecurityEvent: true,
    audits: () => ({ action: 'webhook.create' }),
    emits: webhooksChanged,
  }),
  'webhook.updated': kind({
    targetType,
    facts: Type.Object({
      ...Named,
      changed: Type.Record(Type.String(), Type.Object({ from: Type.Unknown(), to: Type.Unknown() })),
      /** Where a webhook that was switched on continues: with the changes it missed, or from now on. */
      resume: Type.Optional(OneOf(['missed', 'now'])),
      skipped: Type.Optional(Type.Boolean()),
    }),
    isSecurityEvent: true,
    audits: () => ({ action: 'webhook.update' }),
    emits: webhooksChanged,
  }),
  'webhook.deleted': kind({
    targetType,
    facts: Type.Object(Settings),
    isSecurityEvent: true,
    audits: () => ({ action: 'webhook.delete' }),
    emits: webhooksChanged,
  }),
  'webhook.secret_rotated': kind({
    targetType,
    facts: Type.Object({ ...Named, keepHours: Type.Integer() }),
    isSecurityEvent: true,
    audits: () => ({ action: 'webhook.rotate' }),
    emits: webhooksChanged,
  }),
  'webhook.paused': kind({
    targetType,
    facts: Type.Object({ ...Named, because: OneOf(pauses) }),
    isSecurityEvent: true,
    audits: () => ({ action: 'webhook.pause' }),
    emits: webhooksChanged,
  }),
  'webhook.replayed': kind({
    targetType,
    facts: Type.Object({ ...Named, count: Type.Integer(), from: Type.Optional(Type.String()), to: Type.Optional(Type.String()) }),
    audits: () => ({ action: 'webhook.replay' }),
    emits: webhooksChanged,
  }),
  /** The change becomes a message to this webhook alone. */
  'webhook.tested': kind({ targetType, facts: Type.Object(Named), audits: () => ({ action: 'webhook.test' }), emits: webhooksChanged }),
  /** The webhook's maker and the administrators are told of a failure. */
  'webhook.announced': kind({
    targetType,
    facts: Announced,
    isKept: false,
    audits: 'nothing',
    notifies: (tx, { facts }) => announcement(tx, facts),
    emits: webhooksChanged,
  }),
  /** Messages went out, or began to fail. */
  'webhook.sent': kind({ targetType, facts: Type.Object({}), isKept: false, audits: 'nothing', emits: webhooksChanged }),
}
