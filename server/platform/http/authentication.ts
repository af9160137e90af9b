/** Authenticates and authorises a request before its body is read, and again if the body took its time. */
import type { FastifyRequest } from 'fastify'
import type { Actor } from '../auth/actor.ts'
import { StaleCaller } from '../auth/hold.ts'
import { cookieName } from '../auth/session-cookie.ts'
import type { Config } from '../config.ts'
import { isUnavailable } from '../database/db.ts'
import { Refusal, refuse } from '../errors/refusal.ts'
import type { Portal } from './call.ts'
import type { Endpoint } from './endpoint.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether some of the body was still missing when its sender was authenticated. */
    isLate: boolean
    /** A condition for the answer besides the rights that its endpoint asks for; see `asLongAs`. */
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

/** Authenticates a caller again after a slow body: their rights at that time count. */
export async function authenticateLate(portal: Portal, endpoint: Endpoint, request: FastifyRequest) {
  if (request.isLate) await authenticate(portal, endpoint, request)
}

/** Whether the sender would still be let in, and get as much. */
export async function mayReadOn(portal: Portal, { allow }: Endpoint, request: FastifyRequest) {
  if (allow === 'anyone') return true
  const actor = (await callerOf(portal, request))?.actor
  return !!actor?.mayEnter(allow) && (request.holds?.(actor) ?? true)
}

/** Runs the caller's work. Whenever their rights change before it commits, authenticates them and runs it again. */
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
 * The cause of a failed request: `unauthorized` if its sender is gone. A person who is deleted or deactivated during their request may find
 * anything missing.
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
 * A page of another origin must not act on behalf of the person who is viewing it. No page but the portal's own may cause a recorded read,
 * which is a command that is a GET.
 */
function refuseForeignOrigin({ publicOrigin }: Config, { does }: Endpoint, { method, headers }: FastifyRequest) {
  const isReading = method === 'GET' || method === 'HEAD'
  if (isReading && does !== 'command') return
  const isForeign = headers.origin !== undefined && headers.origin !== publicOrigin
  const site = headers['sec-fetch-site'] ?? 'none'
  if (isForeign || site === 'cross-site' || (isReading && site !== 'same-origin' && site !== 'none'))
    refuse('foreign_origin', { body: { expectedOrigin: publicOrigin } })
}
