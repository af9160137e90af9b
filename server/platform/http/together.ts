/** Commands that come at the same time, carried out together. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Outcome, replying } from '../changes/outcome.ts'
import { gathered } from '../gathered.ts'
import { callOf, type Portal, readingCallOf } from './call.ts'
import type { CommandEndpoint } from './endpoint.ts'

const LANES = 2
const MOST = 32
/** Whoever waits longer for others is served on their own. */
const WITHIN_MS = 1000

interface Arrived {
  request: FastifyRequest
  reply: FastifyReply
  isSpent: boolean
}

/** What is sent as the answer to a call, once it is committed; undefined, with nothing done, for one that is to be carried out on its own. */
export function answeringTogether(portal: Portal, { status = 200, prepare, runTogether }: CommandEndpoint) {
  // Serialised before the commit: a reply that does not fit its shape undoes all of them, and then only its own call.
  const written = (outcome: Outcome<unknown>, { reply }: Arrived) =>
    replying(outcome, reply.serializeInput(outcome.reply as Record<string, unknown>, String(status)) as string)

  const work = (arrived: Arrived[]) =>
    portal.transactTogether(
      arrived.map(({ request }) => request.caller!),
      async (tx, places) => {
        const held = places.map((place) => arrived[place]!)
        const calls = held.map(({ request }) => callOf(portal, request))
        const outcomes = await runTogether!(tx, calls)
        return outcomes.map((outcome, n) => outcome && written(outcome, held[n]!))
      },
    )
  const gather = gathered(work, { keyOf: ({ request }) => request.caller!.actor.id, lanes: LANES, most: MOST, withinMs: WITHIN_MS })

  return async (arrived: Arrived) => {
    // An answer that is kept for the caller's key is kept in a transaction of its own.
    if (!runTogether || arrived.request.once) return undefined
    await prepare?.({ ...readingCallOf(portal, arrived.request), isSpent: arrived.isSpent })
    return gather(arrived)
  }
}
