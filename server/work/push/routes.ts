import { changed, unchanged } from '../../platform/changes/outcome.ts'
import type { Tx } from '../../platform/database/db.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { command, query } from '../../platform/http/endpoint.ts'
import { Success } from '../../platform/http/shape.ts'
import {
  findSubscription,
  insertSubscription,
  lockOpenSession,
  lockSubscriber,
  removeOldest,
  removeOwn,
  removeSubscription,
  updateSubscription,
} from './queries.ts'
import { endpointOf, readSubscription } from './rules.ts'
import { PublicKey, Subscription, SubscriptionName } from './shapes.ts'

const done = { success: true }

export const readPublicKey = query('GET /push/vapid-public-key', {
  summary: 'The key that browsers subscribe with',
  description: 'This is refused if the portal has no keys.',
  allow: 'signed-in',
  reply: PublicKey,
  refuses: ['push_not_configured'],
  run: async ({ config: { vapid } }) => ({ publicKey: vapid?.publicKey ?? refuse('push_not_configured') }),
})

export const subscribe = command('POST /push/subscribe', {
  summary: 'Subscribe a browser to pushes; a person keeps the newest 20, and an endpoint belongs to the person who subscribed it last',
  description:
    'Endpoints on private addresses are refused. Subscribing again replaces the keys. The subscription ends with the session that subscribed last.',
  allow: 'signed-in',
  body: Subscription,
  reply: Success,
  run: async ({ tx, actor, session, body, config }) => {
    const subscription = readSubscription(body, config.pushInternalHosts)
    await lockSubscriber(tx, actor.id, subscription.endpoint)
    await lockOpenSession(tx, session.id)
    const before = await findSubscription(tx, subscription.endpoint)
    const subscribed = { kind: 'push.subscribed', targetId: actor.id, facts: {} } as const
    if (before?.userId === actor.id) {
      const { sessionId, p256dh, auth } = before
      if (sessionId === session.id && p256dh === subscription.p256dh && auth === subscription.auth) return unchanged(done)
      await updateSubscription(tx, before.id, session, subscription)
      return changed(done, subscribed)
    }
    // The endpoint gets a new row, so that pushes still queued for the former owner do not find it.
    if (before) await removeSubscription(tx, before.id)
    await insertSubscription(tx, session, subscription)
    const tooMany = await removeOldest(tx, actor.id)
    return changed(
      done,
      subscribed,
      ...(before ? [unsubscribed(before.userId, 'moved')] : []),
      ...(tooMany ? [unsubscribed(actor.id, 'too_many')] : []),
    )
  },
})

const unsubscribed = (targetId: number, reason: 'asked' | 'moved' | 'too_many') =>
  ({ kind: 'push.unsubscribed', targetId, facts: { reason } }) as const

async function unsubscribe(tx: Tx, userId: number, text: string) {
  const endpoint = endpointOf(text)?.href
  const isRemoved = endpoint !== undefined && (await removeOwn(tx, userId, endpoint))
  return isRemoved ? changed(done, unsubscribed(userId, 'asked')) : unchanged(done)
}

export const removeMySubscription = command('DELETE /push/subscribe', {
  summary: 'Unsubscribe a browser from pushes',
  description: 'This succeeds even if there is no such subscription.',
  allow: 'signed-in',
  query: SubscriptionName,
  reply: Success,
  run: ({ tx, actor, query }) => unsubscribe(tx, actor.id, query.endpoint),
})

export const unsubscribeBrowser = command('POST /push/unsubscribe', {
  summary: 'Unsubscribe a browser from pushes',
  description: 'This succeeds even if there is no such subscription.',
  allow: 'signed-in',
  body: SubscriptionName,
  reply: Success,
  run: ({ tx, actor, body }) => unsubscribe(tx, actor.id, body.endpoint),
})
