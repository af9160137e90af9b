/** Who sends a request, and whether the endpoint is open to them: asked before the body is read, and again when it took its time. */
import type { FastifyRequest } from 'fastify'
import type { Actor } from '../auth/actor.ts'
import { StaleCaller } from '../auth/hold.ts'
import type { Config } from '../config.ts'
import { isUnavailable } from '../database/db.ts'
import { Refusal, refuse } from '../errors/refusal.ts'
import type { Portal } from './call.ts'
import type { Endpoint } from './endpoint.ts'
import { cookieName } from './session-cookie.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether some of it was still to come when its sender was authenticated. */
    isLate: boolean
    /** What its answer depends on besides the rights that its endpoint asks for; see `asLongAs`. */
    holds: ((actor: Actor) => boolean | Promise<boolean>) | null
  }
}

const callerOf = ({ sessions, config }: Portal, request: FastifyRequest) => sessions.authenticate(request.cookies[cookieName(config)])

/** Refuses `unauthorized` and `forbidden`. Runs before the body is validated, so that strangers learn nothing about its shape. */
export async function authenticate(portal: Portal, endpoint: Endpoint, request: FastifyRequest) {
  const { allow } = endpoint
  if (allow === 'anyone') return refuseForeignOrigin(portal.config, endpoint, request)
  request.caller = (await callerOf(portal, request)) ?? refuse('unauthorized')
  request.isLate = !request.raw.complete
  refuseForeignOrigin(portal.config, endpoint, request)
  if (!request.caller.actor.mayEnter(allow)) refuse('forbidden')
}

/** Authenticates a caller again when their late body has arrived: what counts is who they are then. */
export async function authenticateLate(portal: Portal, endpoint: Endpoint, request: FastifyRequest) {
  if (request.isLate) await authenticate(portal, endpoint, request)
}

/** Whether the sender would be let in once more, and be given as much. */
export async function mayReadOn(portal: Portal, { allow }: Endpoint, request: FastifyRequest) {
  if (allow === 'anyone') return true
  const actor = (await callerOf(portal, request))?.actor
  return !!actor?.mayEnter(allow) && (request.holds?.(actor) ?? true)
}

/** Runs the caller's work; as long as their rights change before it is committed, authenticates them and runs it again. */
export async function whileCurrent<R>(portal: Portal, endpoint: Endpoint, request: FastifyRequest, work: () => Promise<R>): Promise<R> {
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof StaleCaller)) throw error
      await authenticate(portal, endpoint, request)
    }
  }
}

/**
 * Why a request failed: `unauthorized` if its sender is gone by now. A person who is deleted or deactivated while their request is under
 * way may find anything missing.
 */
export async function causeOf(portal: Portal, request: FastifyRequest, error: Error) {
  if (!request.caller || isUnavailable(error)) return error
  const isGone = await callerOf(portal, request).then(
    (caller) => caller === undefined,
    () => false,
  )
  return isGone ? new Refusal('unauthorized') : error
}

/**
 * A page of another origin must not act on behalf of the person who is viewing it; and no other page at all, of this site or not, must
 * cause a reading that is recorded: a command that is a GET.
 */
function refuseForeignOrigin({ publicOrigin }: Config, { does }: Endpoint, { method, headers }: FastifyRequest) {
  const isReading = method === 'GET' || method === 'HEAD'
  if (isReading && does !== 'command') return
  const isForeign = headers.origin !== undefined && headers.origin !== publicOrigin
  const site = headers['sec-fetch-site'] ?? 'none'
  if (isForeign || site === 'cross-site' || (isReading && site !== 'same-origin' && site !== 'none'))
    refuse('foreign_origin', { body: { expectedOrigin: publicOrigin } })
}
