/** Sends the messages that are due. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { batched } from '../../platform/batched.ts'
import { changedIf } from '../../platform/changes/outcome.ts'
import type { Transact } from '../../platform/changes/transact.ts'
import type { Db } from '../../platform/database/db.ts'
import type { Leases } from '../../platform/database/leases.ts'
import { counters } from '../../platform/metrics/counters.ts'
import type { Outbound } from '../../platform/outbound.ts'
import type { Secrets } from '../../platform/secrets/secrets.ts'
import { type Due, findDue, findDueWebhooks, findOpen, noteTries, type Tried } from './deliveries.ts'
import { pauseFor } from './pausing.ts'
import { findLocked, type Locked, secretsOf } from './queries.ts'
import { AT_ONCE, delayAfter, MOST_TRIES, originOf } from './rules.ts'
import { type Answer, sendOnce } from './try.ts'

/** The most messages that are looked up together. */
const TOGETHER = 20
/**
 * How long sending relies on the webhook that it has read: a pause, a rest or a new address takes effect for tries that begin later than
 * that.
 */
const FRESH_MS = 1000
/** Open pages are told of sent messages at most this often. */
const TELL_EVERY_MS = 2000

export interface SenderParts {
  db: Db
  leases: Leases
  outbound: Outbound
  secrets: Secrets
  transact: Transact
  log: Logger
  /** The version of the portal, for `User-Agent`. */
  version: string
}

const keyOf = ({ sequence, part }: Due) => `${sequence}.${part}`

export function openSender({ db: { reads, writes }, leases, outbound, secrets, transact, log, version }: SenderParts) {
  const busy = new Map<number, Promise<void>>()
  let isClosed = false
  let toldAt = 0

  const note = batched(async (tried: Tried[]) => {
    const moved = await noteTries(writes, tried)
    await tell(tried[0]!.webhookId, moved.length > 0)
    return tried.map(() => undefined)
  })

  /** Makes open pages load the webhooks again. */
  async function tell(targetId: number, isNow: boolean) {
    if (!isNow && Date.now() - toldAt < TELL_EVERY_MS) return
    toldAt = Date.now()
    await transact(null, async () => changedIf(undefined, [{ kind: 'webhook.sent', targetId, facts: {} }]))
  }

  /** Pauses a webhook to which nothing can be sent, unless it has been changed so that `isStill` is false. */
  const giveUp = (id: number, because: 'gone' | 'no_secret', isStill: (webhook: Locked) => boolean) =>
    transact(null, async (tx) => {
      const webhook = await findLocked(tx, id)
      return changedIf(undefined, webhook && isStill(webhook) ? await pauseFor(tx, webhook, because) : [])
    })

  /** Sends one message and notes the result. Returns whether sending to the webhook goes on. */
  async function send(webhook: { id: number; url: string; secrets: string[] }, due: Due): Promise<boolean> {
    const answer = await sendOnce(outbound, webhook, due, version)
    // The receiver has not failed. The message stays due, and the next look finds it.
    if (answer.error === 'own') return false
    const { isDelivered, status, error, ms, restMs, isBusy } = answer
    counters.webhooks.inc({ result: isDelivered ? 'delivered' : 'failed' })
    if (!isDelivered) log.info({ webhook: webhook.id, origin: originOf(webhook.url), status, error }, 'a webhook failed')
    const { sequence, part, tries } = due
    await note({
      webhookId: webhook.id,
      url: webhook.url,
      sequence,
      part,
      tries,
      isDelivered,
      status,
      error,
      ms,
      ...nextOf(answer, tries + 1),
      restMs,
      isBusy,
    })
    // The receiver wants no more messages.
    if (status === 410) await giveUp(webhook.id, 'gone', ({ url }) => url === webhook.url)
    return status !== 410 && restMs === null && !isBusy
  }

  /** Sends messages of a webhook until none is due. A message that hangs occupies one of eight places. */
  async function drain(id: number) {
    const running = new Map<string, Promise<void>>()
    try {
      await drainInto(running, id)
    } finally {
      await Promise.allSettled(running.values())
    }
  }

  async function drainInto(running: Map<string, Promise<void>>, id: number) {
    let goesOn = true
    while (goesOn && !isClosed) {
      const webhook = await findOpen(reads, id)
      if (!webhook) break
      const foundAt = Date.now()
      // The query may still return a message whose result is noted while the query runs.
      const known = new Set(running.keys())
      const found = await findDue(reads, id, TOGETHER + known.size)
      const due = found.filter((one) => !known.has(keyOf(one)))
      if (due.length === 0 && running.size === 0) break
      const ready = { id, url: webhook.url, secrets: secretsOf(secrets, id, webhook) }
      if (ready.secrets.length === 0) {
        await giveUp(id, 'no_secret', (now) => secretsOf(secrets, id, now).length === 0)
        break
      }
      for (const one of due) {
        if (running.size >= AT_ONCE) await Promise.race(running.values())
        if (!goesOn || isClosed || Date.now() - foundAt > FRESH_MS) break
        const sent = send(ready, one)
          .then((isFine) => {
            goesOn &&= isFine
          })
          .finally(() => running.delete(keyOf(one)))
        running.set(keyOf(one), sent)
      }
      // Also continues after a moment, so that a newly due message need not wait for slow ones.
      if (running.size) await Promise.race([...running.values(), sleep(FRESH_MS, undefined, { ref: false })])
    }
    await Promise.all(running.values())
  }

  /** Only the instance that holds the lease of a webhook sends to it. */
  async function drainAlone(id: number) {
    const giveBack = await leases.take(`webhook ${id}`, 1)
    if (!giveBack) return
    try {
      await drain(id)
    } finally {
      giveBack()
    }
  }

  const warn = (error: unknown) => log.warn({ cause: (error as Error).message }, 'webhooks could not be sent')
  return {
    /** Looks for messages that are due. Webhooks do not wait for each other. */
    async look() {
      if (isClosed || !secrets.isConfigured) return
      for (const id of await findDueWebhooks(reads)) {
        if (busy.has(id)) continue
        const done = drainAlone(id)
          .catch(warn)
          .finally(() => busy.delete(id))
        busy.set(id, done)
      }
    },
    /** Waits for running tries; close the outbound calls at the same time, which aborts them. */
    async close() {
      isClosed = true
      await Promise.all(busy.values())
    },
  }
}

/** The pause before the next try, no shorter than the receiver asked for; null if there is no further try. */
function nextOf({ isDelivered, restMs }: Answer, tries: number) {
  if (isDelivered || tries >= MOST_TRIES) return { afterMs: null }
  return { afterMs: Math.max(restMs ?? 0, delayAfter(tries, Math.random())) }
}
