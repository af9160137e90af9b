import { Type } from 'typebox'
import { changedFields } from '../../platform/changes/change-kind.ts'
import { type Change, changed, changedIf, unchanged } from '../../platform/changes/outcome.ts'
import { quotaExceeded, refuse, refuseField } from '../../platform/errors/refusal.ts'
import { command, query } from '../../platform/http/endpoint.ts'
import { DAY_MS, momentIn } from '../../platform/http/page.ts'
import { IdParams, Nothing, Success } from '../../platform/http/shape.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import { type Chosen, countChosen, pageDeliveries, readDelivery, replay } from './deliveries.ts'
import {
  checkWebhook,
  editWebhook,
  insertWebhook,
  listWebhooks,
  lockWebhook,
  pause,
  readWebhook,
  removeWebhook,
  replaceSecret,
  resume,
} from './queries.ts'
import { checkUrl, MOST_DAYS, MOST_REPLAYED, newSecret, originOf } from './rules.ts'
import {
  CreatedWebhook,
  DeliveriesQuery,
  DeliveryParams,
  DeliveryQuery,
  NewWebhook,
  Replay,
  Replayed,
  Rotation,
  Webhook,
  WebhookDeliveryPage,
  WebhookEdit,
  WebhookMessage,
  WebhookSecret,
} from './shapes.ts'

/** Refuses `secrets_not_configured`: nothing is sent without the key that the secrets of webhooks are encrypted with. */
const needKey = ({ isConfigured }: Secrets) => isConfigured || refuse('secrets_not_configured')

export const readWebhooks = query('GET /webhooks', {
  summary: 'The programs that are told of changes, by name',
  allow: 'admin',
  scope: 'admin:read',
  reply: Type.Array(Webhook),
  run: ({ db, actor }) => listWebhooks(db, actor.language),
})

export const createWebhook = command('POST /webhooks', {
  summary: 'Tell a program of changes from now on',
  description:
    'The answer is the only one that has the secret, which signs the messages as Standard Webhooks has it. There are at most 50. The address is judged by its text here, and at each try by what it resolves to.',
  allow: 'admin',
  confirm: 'person',
  record: Webhook,
  body: NewWebhook,
  reply: CreatedWebhook,
  status: 201,
  refuses: ['quota_exceeded', 'secrets_not_configured'],
  run: async ({ tx, actor, config, secrets, body: { name, url: typed, types, isActive = true } }) => {
    const url = checkUrl(typed, config.webhookInternalHosts)
    const secret = newSecret()
    const id = await insertWebhook(tx, { name, url, types, isActive, createdBy: actor.id }, secrets, secret)
    const facts = { name, url: originOf(url), types }
    return changed({ ...(await readWebhook(tx, id)), secret }, { kind: 'webhook.created', targetId: id, facts })
  },
})

export const showWebhook = query('GET /webhooks/:id', {
  summary: 'One webhook, and how it does',
  allow: 'admin',
  scope: 'admin:read',
  record: Webhook,
  params: IdParams,
  reply: Webhook,
  refuses: ['not_found'],
  run: ({ db, params: { id } }) => readWebhook(db, id),
})

export const changeWebhook = command('PATCH /webhooks/:id', {
  summary: 'Change, pause or switch on a webhook',
  description:
    'Omitted fields do not change. A new `url` ends failures and rests, and what waits is sent to it at once. While the webhook is paused, messages wait with the tries they have had. `resume` counts only where `isActive` switches it on; after a pause of more than 30 days, `missed` begins 30 days back, and `skipped` says so.',
  allow: 'admin',
  confirm: 'person',
  record: Webhook,
  params: IdParams,
  body: WebhookEdit,
  reply: Webhook,
  refuses: ['not_found', 'secrets_not_configured'],
  run: async ({ tx, config, secrets, ifMatch, params: { id }, body: { isActive, resume: from = 'missed', ...typed } }) => {
    const before = await lockWebhook(tx, id)
    await ifMatch(() => readWebhook(tx, id))
    const { url } = typed
    const fields = { ...typed, ...(url !== undefined && { url: checkUrl(url, config.webhookInternalHosts) }) }
    const { name } = before
    const differences = changedFields(before, fields)
    if (Object.keys(differences).length) await editWebhook(tx, before, fields)
    if (differences['url']) differences['url'] = { from: originOf(before.url), to: originOf(fields.url!) }
    const isSwitchedOn = isActive === true && !before.isActive
    if (isSwitchedOn) needKey(secrets)
    const going = isSwitchedOn ? { resume: from, skipped: await resume(tx, before, from) } : undefined
    if (isSwitchedOn) differences['isActive'] = { from: false, to: true }
    const changes: Change[] = Object.keys(differences).length
      ? [{ kind: 'webhook.updated', targetId: id, facts: { name, changed: differences, ...going } }]
      : []
    if (isActive === false && (await pause(tx, id, 'administrator')))
      changes.push({ kind: 'webhook.paused', targetId: id, facts: { name, because: 'administrator' } })
    return changedIf(await readWebhook(tx, id), changes)
  },
})

export const deleteWebhook = command('DELETE /webhooks/:id', {
  summary: 'Delete a webhook with its messages',
  allow: 'admin',
  confirm: 'person',
  record: Webhook,
  params: IdParams,
  reply: Nothing,
  status: 204,
  refuses: ['not_found'],
  run: async ({ tx, ifMatch, params: { id } }) => {
    const { name, url, types } = await lockWebhook(tx, id)
    await ifMatch(() => readWebhook(tx, id))
    await removeWebhook(tx, id)
    return changed(null, { kind: 'webhook.deleted', targetId: id, facts: { name, url: originOf(url), types } })
  },
})

export const rotateWebhookSecret = command('POST /webhooks/:id/rotate-secret', {
  summary: 'Give a webhook a new secret',
  description:
    'The answer is the only one that has it. The present secret signs along for `keepHours`; at most two live, so that a second rotation ends the oldest.',
  allow: 'admin',
  confirm: 'person',
  params: IdParams,
  body: Rotation,
  reply: WebhookSecret,
  refuses: ['not_found', 'secrets_not_configured'],
  run: async ({ tx, secrets, params: { id }, body: { keepHours = 24 } }) => {
    const webhook = await lockWebhook(tx, id)
    const secret = newSecret()
    await replaceSecret(tx, secrets, webhook, secret, keepHours)
    return changed({ secret }, { kind: 'webhook.secret_rotated', targetId: id, facts: { name: webhook.name, keepHours } })
  },
})

export const testWebhook = command('POST /webhooks/:id/test', {
  summary: 'Send a message to a webhook to try it',
  description: 'It is of the type `webhook.test`, goes to this webhook alone, and is a message like the others.',
  allow: 'admin',
  scope: 'admin:write',
  params: IdParams,
  reply: Success,
  status: 202,
  refuses: ['not_found', { code: 'invalid_transition', status: 409 }, 'secrets_not_configured'],
  run: async ({ tx, secrets, params: { id } }) => {
    const { name, isActive } = await lockWebhook(tx, id)
    needKey(secrets)
    if (!isActive) refuse('invalid_transition', { status: 409 })
    return changed({ success: true }, { kind: 'webhook.tested', targetId: id, facts: { name } })
  },
})

export const listDeliveries = query('GET /webhooks/:id/deliveries', {
  summary: 'The messages to a webhook of the last 30 days, the newest first',
  allow: 'admin',
  scope: 'admin:read',
  params: IdParams,
  query: DeliveriesQuery,
  reply: WebhookDeliveryPage,
  refuses: ['not_found'],
  run: async ({ db, params: { id }, query }) => {
    await checkWebhook(db, id)
    return pageDeliveries(db, id, query)
  },
})

export const showDelivery = query('GET /webhooks/:id/deliveries/:sequence', {
  summary: 'One message as it went out, without its signature',
  allow: 'admin',
  scope: 'admin:read',
  params: DeliveryParams,
  query: DeliveryQuery,
  reply: WebhookMessage,
  refuses: ['not_found'],
  run: ({ db, params: { id, sequence }, query: { part = 1 } }) => readDelivery(db, id, sequence, part),
})

/** Refuses a body with neither sequences nor a span, or with both, and a span that is inverted or too long. */
function chosenIn({ sequences, from, to }: { sequences?: number[]; from?: string; to?: string }): Chosen {
  if (sequences)
    return from === undefined && to === undefined ? { sequences } : refuseField('sequences', 'exclusive', { fields: ['from', 'to'] })
  if (from === undefined) return refuseField(to === undefined ? 'sequences' : 'from', 'required')
  if (to === undefined) return refuseField('to', 'required')
  const span = { from: momentIn(from, 'from'), to: momentIn(to, 'to') }
  if (span.from > span.to) refuseField('from', 'order')
  if (span.to.getTime() - span.from.getTime() > MOST_DAYS * DAY_MS) refuseField('to', 'maxDays', { limit: MOST_DAYS })
  return span
}

export const replayDeliveries = command('POST /webhooks/:id/replay', {
  summary: 'Send messages to a webhook again',
  description:
    'Those of `sequences`, or of what happened from `from` to `to`, at most 30 days and 1,000 messages: only what this webhook was sent. They have the same ids, and all their tries before them.',
  allow: 'admin',
  scope: 'admin:write',
  params: IdParams,
  body: Replay,
  reply: Replayed,
  status: 202,
  refuses: ['not_found', 'quota_exceeded', 'secrets_not_configured'],
  run: async ({ tx, secrets, params: { id }, body }) => {
    const chosen = chosenIn(body)
    const { name } = await lockWebhook(tx, id)
    needKey(secrets)
    // Only the messages of a span are counted, because the shape limits the number of sequences. One sequence may be several messages.
    const used = 'from' in chosen ? await countChosen(tx, id, chosen) : 0
    if (used > MOST_REPLAYED) throw quotaExceeded({ quota: 'webhook_replay', used, allowed: MOST_REPLAYED })
    const count = await replay(tx, id, chosen)
    if (count === 0) return unchanged({ count })
    const span = 'from' in chosen ? { from: chosen.from.toISOString(), to: chosen.to.toISOString() } : {}
    return changed({ count }, { kind: 'webhook.replayed', targetId: id, facts: { name, count, ...span } })
  },
})
