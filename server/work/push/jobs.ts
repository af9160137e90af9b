import { type Change, changed, changedIf, unchanged } from '../../platform/changes/outcome.ts'
import { inBatches } from '../../platform/jobs/cleaning.ts'
import type { Job, JobContext } from '../../platform/jobs/runner.ts'
import { counters } from '../../platform/metrics/counters.ts'
import { OutboundError } from '../../platform/outbound.ts'
import { findPush, removeGone, removeOver } from './queries.ts'
import { isWanted, mayPushTo, payloadOf } from './rules.ts'

export interface Push {
  notificationId: number
  subscriptionId: number
}

/**
 * Pushes a notification to a browser. A temporary failure fails the job, which is then retried; a permanent one ends it. Errors
 * and log never contain the endpoint, the payload or the push service's answer.
 */
export const sendPush: Job<Push> = async ({ notificationId, subscriptionId }, context) => {
  const { config, db, outbound } = context
  if (!config.vapid) return
  const push = await findPush(db.reads, notificationId, subscriptionId)
  if (!push || !isWanted(push.type, push)) return
  const { type, titleAr, titleEn, bodyAr, bodyEn, relatedType, relatedId, endpoint, p256dh, auth } = push
  const payload = payloadOf(
    { notificationId, type, titleAr, titleEn, bodyAr, bodyEn, relatedType, relatedId },
    push,
    push.preferredLanguage,
    config.publicUrl,
  )
  // Loaded with the first push: many processes send none.
  const { default: webpush } = await import('web-push')
  const { headers, body } = webpush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, {
    vapidDetails: config.vapid,
    TTL: push.secondsLeft,
    // The push service replaces a stored push by a later one with the same topic, so a push sent twice arrives once.
    topic: `notification-${notificationId}`,
  })
  const url = new URL(endpoint)
  const call = { method: 'POST', headers: asTexts(headers), body, person: push.userId } as const
  // The endpoint may have been stored before endpoints of its kind were refused.
  const isMeant = mayPushTo(url, config.pushInternalHosts)
  const status = isMeant ? await outbound.ask(url, call).then(({ status }) => status, whyUnanswered) : 'refused'
  counters.pushed.inc({ result: resultOf(status) })
  await settle(status, url, subscriptionId, context)
}

function whyUnanswered(error: unknown) {
  if (error instanceof OutboundError && error.isRefused) return 'refused' as const
  counters.pushed.inc({ result: 'failed' })
  throw error
}

const isTemporary = (status: number) => status === 429 || status >= 500

function resultOf(status: number | 'refused') {
  if (status === 'refused') return 'refused'
  if (status === 404 || status === 410) return 'gone'
  return isTemporary(status) ? 'failed' : status < 300 ? 'accepted' : 'refused'
}

async function settle(status: number | 'refused', { hostname, href }: URL, subscriptionId: number, { log, transact }: JobContext) {
  if (status === 404 || status === 410) return forget(transact, subscriptionId, href)
  if (status !== 'refused' && isTemporary(status)) throw new Error(`the push service ${hostname} answered ${status}`)
  if (status === 'refused' || status >= 300) log.warn({ host: hostname, status }, 'a push was abandoned')
}

const forget = (transact: JobContext['transact'], subscriptionId: number, endpoint: string) =>
  transact(null, async (tx) => {
    const userId = await removeGone(tx, subscriptionId, endpoint)
    return userId === undefined
      ? unchanged(undefined)
      : changed(undefined, { kind: 'push.unsubscribed', targetId: userId, facts: { reason: 'gone' } })
  })

const asTexts = (headers: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

/** Deletes the subscriptions of ended sessions, so that nothing more is pushed to their browsers. */
export const endOldPushes = ({ transact }: JobContext) =>
  inBatches((most) =>
    transact(null, async (tx) => {
      const unsubscribed = await removeOver(tx, most)
      return changedIf(
        unsubscribed.length,
        unsubscribed.map((targetId): Change => ({ kind: 'push.unsubscribed', targetId, facts: { reason: 'session_over' } })),
      )
    }),
  )
