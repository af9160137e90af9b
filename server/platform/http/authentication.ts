/** Authenticates and authorises a request before its body is read, and again if the body took its time. */
import type { FastifyRequest } from 'fastify'
import type { Actor } from '../auth/actor.ts'
import { bearerIn } from '../auth/api-tokens.ts'
import { meansOf, requireConfirmation, requireInAdministration } from '../auth/confirmation.ts'
import { StaleCaller } from '../auth/hold.ts'
import { networkOf, type Rule } from '../auth/limits.ts'
import { sentSessionTokens } from '../auth/session-cookie.ts'
import type { Caller, Session } from '../auth/sessions.ts'
import type { Config } from '../config.ts'
import { isUnavailable } from '../database/db.ts'
import { Refusal, refuse } from '../errors/refusal.ts'
import type { Portal } from './call.ts'
import { type Endpoint, isRecorded } from './endpoint.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether some of the body was still missing when its sender was authenticated. */
    isLate: boolean
    /** A condition for the answer besides the rights that its endpoint asks for; see `asLongAs`. */
    holds: ((actor: Actor) => boolean | Promise<boolean>) | null
  }
}

/** Limits invalid and revoked tokens. Valid tokens never count. */
const unknownTokens: Rule = { name: 'unknown_tokens', tries: 100, withinMs: 15 * 60_000 }

/** The caller of the first valid session among those that the browser sent; the token of that session moves to the front. */
async function callerByCookie({ sessions, config }: Portal, request: FastifyRequest): Promise<Caller | undefined> {
  const tokens = sentSessionTokens(config, request)
  const callers = await Promise.all(tokens.map(sessions.authenticate))
  const living = callers.findIndex((caller) => caller !== undefined)
  request.sessionTokens = living > 0 ? [tokens[living]!, ...tokens.toSpliced(living, 1)] : tokens
  return callers[living]
}

async function callerOf(portal: Portal, request: FastifyRequest): Promise<Caller | 'unknown' | undefined> {
  const token = bearerIn(request.headers.authorization)
  if (token === undefined) return callerByCookie(portal, request)
  const found = await portal.sessions.authenticateToken(token, request.ip)
  return found === 'closed' ? undefined : (found ?? 'unknown')
}

/** Refuses `unauthorized`, and `rate_limited` when too many unknown tokens came from the address. */
async function requireCaller(portal: Portal, request: FastifyRequest): Promise<Caller> {
  const found = await callerOf(portal, request)
  if (found === 'unknown')
    return portal.limits.within([{ rule: unknownTokens, key: networkOf(request.ip) }], async () => refuse('unauthorized'))
  return found ?? refuse('unauthorized')
}

/**
 * Refuses a caller without a valid session (`unauthorized`), an endpoint that the caller may not call, a page of another origin, and a
 * session that lacks a second factor or a confirmation (`enrolment_required`, `confirmation_required`). Runs before the body is validated,
 * so that strangers learn nothing about its shape. With a token, the cookies do not count.
 */
export async function authenticate(portal: Portal, endpoint: Endpoint, request: FastifyRequest) {
  request.sessionTokens = sentSessionTokens(portal.config, request)
  if (endpoint.allow === 'anyone') {
    refuseForeignOrigin(portal.config, endpoint, request)
    if (request.sessionTokens.length > 1) await callerByCookie(portal, request)
    return
  }
  const caller = await requireCaller(portal, request)
  request.caller = caller
  request.isLate = !request.raw.complete
  refuseForeignOrigin(portal.config, endpoint, request)
  request.caller = portal.enter(endpoint, caller)
  const { session } = caller
  if (session.owes && !isOpenInDebt(session, endpoint)) await refuseDebtor(portal, session)
  if (endpoint.confirm === 'person') await requireConfirmation(portal.db.reads, session)
  else if (endpoint.confirm === 'administration') await requireInAdministration(portal.db.reads, session)
}

const OPEN_TO_DEBTORS = /^\w+ \/auth\/(?:logout|me(?:\/(?!tokens\b|calendar\b).*)?)$/
/**
 * Whether an endpoint is open to people who owe a second factor: signing out, and the endpoints of their own account except those for
 * tokens and calendar feeds.
 */
export const isOpenToDebtors = ({ at }: Endpoint) => OPEN_TO_DEBTORS.test(at)

/** Whether an endpoint is open to a session that owes a second factor. A token's session never is, because tokens cannot enrol a factor. */
const isOpenInDebt = ({ kind }: Session, endpoint: Endpoint) => kind === 'browser' && isOpenToDebtors(endpoint)

/** The page that sets up a second factor. */
const ENROL_URL = '/account/security'

async function refuseDebtor({ db }: Portal, { userId, owes }: Session) {
  if (owes === 'enrolment') refuse('enrolment_required', { body: { enrolUrl: ENROL_URL } })
  refuse('confirmation_required', { body: { methods: (await meansOf(db.reads, userId)).methods } })
}

/** Authenticates a caller again once a slow body has arrived: the rights at that time count. */
export async function authenticateLate(portal: Portal, endpoint: Endpoint, request: FastifyRequest) {
  if (request.isLate) await authenticate(portal, endpoint, request)
}

/** Whether the sender may still call the endpoint and read the rest of the answer. */
export async function mayReadOn(portal: Portal, endpoint: Endpoint, request: FastifyRequest) {
  if (endpoint.allow === 'anyone') return true
  const caller = await callerOf(portal, request)
  if (!caller || caller === 'unknown' || (caller.session.owes && !isOpenInDebt(caller.session, endpoint))) return false
  try {
    const { actor } = portal.enter(endpoint, caller)
    return (await request.holds?.(actor)) ?? true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/**
 * Runs the caller's work. Whenever their rights change before the commit, authenticates them again and repeats the work with `isAgain` set.
 */
export async function whileCurrent<R>(
  portal: Portal,
  endpoint: Endpoint,
  request: FastifyRequest,
  work: (isAgain: boolean) => Promise<R>,
): Promise<R> {
  for (let isAgain = false; ; isAgain = true) {
    try {
      return await work(isAgain)
    } catch (error) {
      if (!(error instanceof StaleCaller)) throw error
      await authenticate(portal, endpoint, request)
    }
  }
}

/**
 * The error to answer with: `unauthorized` if the sender is no longer signed in. The request of a person who is deleted or deactivated
 * while it runs may fail because any row is missing.
 */
export async function causeOf(portal: Portal, request: FastifyRequest, error: Error) {
  if (!request.caller || isUnavailable(error)) return error
  const isGone = await callerOf(portal, request).then(
    (caller) => caller === undefined || caller === 'unknown',
    () => false,
  )
  return isGone ? new Refusal('unauthorized') : error
}

/** Whether the browser navigates to the address as a page of its own, so that no other page reads the answer. */
const isNavigation = (headers: FastifyRequest['headers']) =>
  headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'

/**
 * A page of another origin must not act on behalf of the person who is viewing it. Only the portal's own pages may make a recorded read,
 * unless the endpoint redirects: other sites send people to it, and the browser navigates to it.
 */
function refuseForeignOrigin({ publicOrigin }: Config, endpoint: Endpoint, { method, headers }: FastifyRequest) {
  const isReading = method === 'GET' || method === 'HEAD'
  if (isReading) {
    if (!isRecorded(endpoint)) return
    if (endpoint.status === 303 && isNavigation(headers)) return
  }
  const isForeign = headers.origin !== undefined && headers.origin !== publicOrigin
  const site = headers['sec-fetch-site'] ?? 'none'
  if (isForeign || site === 'cross-site' || (isReading && site !== 'same-origin' && site !== 'none'))
    refuse('foreign_origin', { body: { expectedOrigin: publicOrigin } })
}
