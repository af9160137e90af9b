/** Commands that come at the same time, carried out together. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Outcome, replying } from '../changes/outcome.ts'
import { gathered } from '../gathered.ts'
import { callOf, type Portal, readingCallOf } from './call.ts'
import type { CommandEndpoint } from './endpoint.ts'
import { remember } from './idempotency.ts'

const LANES = 2
const MOST = 32
/** A caller who waits longer for others is served on their own. */
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
        const outcomes = (await runTogether!(tx, calls)).map((outcome, n) => outcome && written(outcome, held[n]!))
        const answers = outcomes.flatMap((outcome, n) => (outcome && held[n]!.request.once?.keep({ status, body: outcome.reply })) ?? [])
        if (answers.length) await remember(tx, answers)
        return outcomes
      },
    )
  const gather = gathered(work, { keyOf: ({ request }) => request.caller!.actor.id, lanes: LANES, most: MOST, withinMs: WITHIN_MS })

  /** Who has an answer kept by a transaction that is under way: another of theirs could be that of the same key, and undo what others do. */
  const keeping = new Set<number>()
  async function gatherOnce(arrived: Arrived) {
    const { id } = arrived.request.caller!.actor
    if (keeping.has(id)) return undefined
    keeping.add(id)
    return gather(arrived).finally(() => keeping.delete(id))
  }

  return async (arrived: Arrived) => {
    if (!runTogether) return undefined
    await prepare?.({ ...readingCallOf(portal, arrived.request), isSpent: arrived.isSpent })
    return arrived.request.once ? gatherOnce(arrived) : gather(arrived)
  }
}
