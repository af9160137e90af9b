/** One try to send a message. */
import { type Outbound, OutboundError } from '../../platform/outbound.ts'
import type { Due } from './deliveries.ts'
import { errorOf, type LastError, messageId, restOf, TRY_WITHIN_MS } from './rules.ts'

/**
 * The result. `own`: this instance aborted the try, or had too much else to do to make it. `restMs`: how long the receiver wants no messages. `isBusy`: it wants none and does
 * not say for how long.
 */
export interface Answer {
  isDelivered: boolean
  status: number | null
  error: LastError | null | 'own'
  ms: number
  restMs: number | null
  isBusy: boolean
}

/** Signs a message with every valid secret, and sends it. Only the status and `Retry-After` of the answer are read. */
export async function sendOnce(
  outbound: Outbound,
  { url, secrets }: { url: string; secrets: readonly string[] },
  due: Due,
  version: string,
): Promise<Answer> {
  // Loaded with the first message: many processes send none.
  const { Webhook } = await import('standardwebhooks')
  const id = messageId(due)
  const at = new Date()
  const headers = {
    'content-type': 'application/json',
    'user-agent': `Bawaba/${version}`,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, at, due.body)).join(' '),
  }
  const began = performance.now()
  const took = () => Math.round(performance.now() - began)
  try {
    const call = { method: 'POST', headers, body: Buffer.from(due.body), withinMs: TRY_WITHIN_MS } as const
    const { status, headers: theirs } = await outbound.fetch(new URL(url), call)
    const isDelivered = status >= 200 && status < 300
    const restMs = isDelivered ? null : (restOf(theirs['retry-after'], Date.now()) ?? null)
    return { isDelivered, status, error: isDelivered ? null : 'status', ms: took(), restMs, isBusy: status === 429 && restMs === null }
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    const why = error.isRefused ? 'address' : error.isOwn ? 'own' : errorOf(error.code)
    return { isDelivered: false, status: null, error: why, ms: took(), restMs: null, isBusy: false }
  }
}
