/** Calls of one shared command that arrive at the same time, answered by one transaction. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { batched } from '../batched.ts'
import { replying } from '../changes/outcome.ts'
import { Refusal } from '../errors/refusal.ts'
import { callOf, type Portal, readingCallOf } from './call.ts'
import type { CommandEndpoint } from './endpoint.ts'
import { matcher } from './etag.ts'
import { remember } from './idempotency.ts'

const LANES = 2
const MOST = 32

interface Arrived {
  request: FastifyRequest
  reply: FastifyReply
}

/**
 * Returns a function that gives the committed reply to a call as it is sent; undefined, with nothing done, for a call that has to run
 * alone.
 */
export function batching(portal: Portal, { status = 200, record, prepare, runMany }: CommandEndpoint) {
  // Serialised before the commit: a reply that does not fit its shape rolls the whole batch back.
  const write = ({ reply }: Arrived, answer: unknown) =>
    status === 204 ? undefined : (reply.serializeInput(answer as Record<string, unknown>, String(status)) as string)

  const work = (batch: Arrived[]) =>
    portal.transactMany(
      batch.map(({ request }) => request.caller!),
      async (tx, places) => {
        const held = places.map((place) => batch[place]!)
        const decisions = await runMany!(
          tx,
          held.map(({ request }) => callOf(portal, request)),
        )
        const written = decisions.map((decision, n) =>
          decision instanceof Refusal ? decision : replying(decision, write(held[n]!, decision.reply)),
        )
        const kept = written.flatMap((decision, n) => {
          const { once } = held[n]!.request
          return once && !(decision instanceof Refusal) ? [once.keep({ status, body: decision.reply })] : []
        })
        if (kept.length) await remember(tx, kept)
        return written
      },
    )
  const enter = batched(work, { keyOf: ({ request }) => request.caller!.actor.id, lanes: LANES, most: MOST })

  /** People who have a call with an `Idempotency-Key` in a batch: a second call with the same key would roll that batch back. */
  const keyed = new Set<number>()
  async function enterOnce(arrived: Arrived) {
    const { id } = arrived.request.caller!.actor
    if (keyed.has(id)) return undefined
    keyed.add(id)
    return enter(arrived).finally(() => keyed.delete(id))
  }

  return async (arrived: Arrived) => {
    const ifMatch = matcher(record, arrived.request.headers['if-match'])
    await prepare?.({ ...readingCallOf(portal, arrived.request), isSpent: false, ifMatch })
    const answer = await (arrived.request.once ? enterOnce(arrived) : enter(arrived))
    if (answer instanceof Refusal) throw answer
    return answer
  }
}
