/** How a command is answered. */
import type { FastifyReply } from 'fastify'
import { replying } from '../changes/outcome.ts'
import { mutex } from '../concurrency.ts'
import type { Reads } from '../database/db.ts'
import { callOf, type Handler, type Portal } from './call.ts'
import type { Call, CommandEndpoint } from './endpoint.ts'
import { JSON_TYPE } from './refusal-reply.ts'
import { pendingCookie } from './session-cookie.ts'

type Reading = Call & { db: Reads }
type Work = () => Promise<unknown>

/**
 * At once where there is nothing to write. Else counted against the caller, then in turn with calls of the same key, prepared,
 * and at last run in a transaction with the record of what it changed.
 */
export function answerCommand(portal: Portal, endpoint: CommandEndpoint): Handler {
  const { status = 200, answer, limits, mutexKey } = endpoint
  const exclusive = mutex<number | string>()

  const exclusively = (call: Call, work: Work) => (mutexKey ? exclusive(mutexKey(call), work) : work())
  const withinLimits = async (call: Reading, work: Work) => (limits ? portal.limits.within(await limits(call), work) : work())

  return async (request, reply) => {
    const call = { ...callOf(portal, request), db: portal.db.reads }
    const known = await answer?.(call)
    if (known !== undefined) return reply.type(JSON_TYPE).send(known)

    const body = await withinLimits(call, () => exclusively(call, () => execute(portal, endpoint, call, reply)))
    if (status !== 204) reply.type(JSON_TYPE)
    return reply.code(status).send(body)
  }
}

/** Prepares and commits; answers the reply as it goes out, undefined where that has no body. */
async function execute(portal: Portal, endpoint: CommandEndpoint, { db, ...call }: Reading, reply: FastifyReply) {
  const { status = 200, prepare, run, changesAccess } = endpoint
  const cookie = pendingCookie(portal.config)
  const prepared = await prepare?.({ ...call, db })

  const body = await portal.transact(
    call.actor,
    async (tx) => {
      const outcome = await run({ ...call, tx, cookie, prepared })
      // Written out before the commit: a reply that does not fit its shape undoes what was done.
      return replying(outcome, status === 204 ? undefined : writeOut(reply, outcome.reply, status))
    },
    { changesAccess },
  )
  cookie.send(reply)
  return body
}

const writeOut = (reply: FastifyReply, answer: unknown, status: number) =>
  Buffer.isBuffer(answer) ? answer : reply.serializeInput(answer as Record<string, unknown>, String(status))
