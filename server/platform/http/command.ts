/** The steps of a command, from its call to its committed reply. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { requireInAdministration } from '../auth/confirmation.ts'
import { pendingCookie } from '../auth/session-cookie.ts'
import { replying } from '../changes/outcome.ts'
import type { Reads } from '../database/db.ts'
import { Refusal } from '../errors/refusal.ts'
import { authenticate, whileCurrent } from './authentication.ts'
import { batching } from './batch.ts'
import { type Handler, type Portal, readingCallOf } from './call.ts'
import { type Call, type CommandEndpoint, locksOf } from './endpoint.ts'
import { etagOf, matcher } from './etag.ts'
import { remember } from './idempotency.ts'
import { typeOf } from './refusal-reply.ts'
import { LongList, WithHeaders } from './wire.ts'

type Reading = Call & { db: Reads }
type Work = (isSpent: boolean) => Promise<unknown>

/**
 * Answers a command: with `answer` if nothing needs to be written; otherwise within the caller's `limits`, after `prepare`, in a
 * transaction that also records what `run` changed. Calls of a shared command that arrive together share that transaction.
 */
export function answerCommand(portal: Portal, endpoint: CommandEndpoint): Handler {
  const { status = 200, answer, limits } = endpoint
  const inBatch = endpoint.runMany && batching(portal, endpoint)

  const withinLimits = async (call: Reading, work: Work) => (limits ? portal.limits.within(await limits(call), work) : work(false))

  /** Sends a reply. A long list is read only now, after the commit, and is never stored for an `Idempotency-Key`. */
  const send = (request: FastifyRequest, reply: FastifyReply, body: unknown) =>
    body instanceof LongList
      ? portal.sendLong(request, reply, {
          pieces: body.chunks,
          headers: { 'content-type': typeOf(request) },
          askAgain: () => authenticate(portal, endpoint, request),
        })
      : reply.type(typeOf(request)).send(body)

  return async (request, reply) => {
    const call = readingCallOf(portal, request)
    if (typeof endpoint.confirm === 'object' && endpoint.confirm.when(call)) await requireInAdministration(call.db, call.session!)
    const known = await answer?.(call)
    if (known instanceof WithHeaders) return send(request, reply.headers(known.headers), known.body)
    if (known !== undefined) return send(request, reply, known)

    const alone = (isSpent: boolean) =>
      whileCurrent(portal, endpoint, request, (isAgain) => execute(portal, endpoint, { request, reply, isSpent, isAgain })).catch(
        (error) => {
          if (error instanceof Refusal) keepCookies(portal, reply, error)
          throw error
        },
      )
    const done = await inBatch?.({ request, reply })
    const body = done ? done.reply : await withinLimits(call, alone)
    reply.code(status)
    if (status === 303) reply.header('location', body)
    return status === 204 || status === 303 ? reply.send() : send(request, reply, body)
  }
}

/** Prepares, runs and commits. Returns the reply as it is sent, undefined if it has no body. */
async function execute(
  portal: Portal,
  endpoint: CommandEndpoint,
  { request, reply, isSpent, isAgain }: { request: FastifyRequest; reply: FastifyReply; isSpent: boolean; isAgain: boolean },
) {
  const { status = 200, record, recordIn = (reply: unknown) => reply, prepare, run } = endpoint
  const { db, ...call } = readingCallOf(portal, request)
  const cookie = pendingCookie(portal)
  const ifMatch = matcher(record, request.headers['if-match'])
  const prepared = await prepare?.({ ...call, db, isSpent, ifMatch })
  const locks = locksOf(endpoint, { ...call, prepared })

  const { body, etag, own } = await portal.transact(
    call.actor,
    async (tx) => {
      const outcome = await run({ ...call, tx, ifMatch, cookie, prepared })
      // Serialised before the commit, so that a reply that does not fit its shape rolls the command back.
      const own = outcome.reply instanceof WithHeaders ? outcome.reply : undefined
      if (own?.refusal) return replying(outcome, { body: undefined, etag: undefined, own })
      const body = status === 204 ? undefined : writeOut(reply, own ? own.body : outcome.reply, status)
      const etag = record && body !== undefined ? etagOf(record, recordIn(outcome.reply)) : undefined
      // A long list is written while it is sent, so it cannot be stored.
      const kept = body instanceof LongList ? undefined : { status, etag, body: body?.toString() }
      if (request.once) await remember(tx, [request.once.keep(kept)])
      return replying(outcome, { body, etag, own })
    },
    {
      // A change of the caller's own texts raises the version of their rights, which `texts` compares afterwards. If the repetition took
      // `texts` again, the command would be repeated for ever.
      locks: locks === 'texts' && isAgain ? 'access' : locks,
      isAdministrative: endpoint.allow === 'admin',
      caller: request.caller,
    },
  )
  cookie.send(reply)
  if (own?.refusal) throw own.refusal
  if (own) reply.headers(own.headers)
  if (etag) reply.header('etag', etag)
  return body
}

/** Sets the cookies that a refusal names. */
function keepCookies(portal: Portal, reply: FastifyReply, { extras: { cookies = {} } }: Refusal) {
  const cookie = pendingCookie(portal)
  for (const [name, kept] of Object.entries(cookies))
    if (kept) cookie.setEncrypted(name, kept.value, kept.seconds)
    else cookie.clearEncrypted(name)
  cookie.send(reply)
}

const writeOut = (reply: FastifyReply, answer: unknown, status: number) => {
  if (Buffer.isBuffer(answer) || answer instanceof LongList) return answer
  return status === 303 ? (answer as string) : reply.serializeInput(answer as Record<string, unknown>, String(status))
}
