/** Turns a request into the call that an endpoint receives. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { type Limits, networkOf } from '../auth/limits.ts'
import type { Passwords } from '../auth/passwords.ts'
import type { Enter } from '../auth/scopes.ts'
import { encryptedCookieOf, tokensOf } from '../auth/session-cookie.ts'
import type { Caller, Sessions } from '../auth/sessions.ts'
import type { DeletionHooks } from '../changes/deletion-hooks.ts'
import type { Transact } from '../changes/transact.ts'
import type { TransactMany } from '../changes/transact-many.ts'
import type { Config } from '../config.ts'
import type { Db } from '../database/db.ts'
import type { Leases } from '../database/leases.ts'
import type { Hub } from '../events/hub.ts'
import type { Objects } from '../objects/store.ts'
import type { Providers } from '../oidc/providers.ts'
import type { Outbound } from '../outbound.ts'
import { isStopping } from '../process/draining.ts'
import type { EncryptedCookies } from '../secrets/cookies.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { SecurityLog } from '../security-log.ts'
import type { Call, CommandEndpoint } from './endpoint.ts'
import type { InLine, SendLong } from './long-replies.ts'
import type { NoteSourceRefusal } from './source-refusals.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
  }
}

/** The parts of the portal that endpoints may need. */
export interface Portal {
  config: Config
  db: Db
  sessions: Sessions
  enter: Enter
  limits: Limits
  passwords: Passwords
  deletionHooks: DeletionHooks
  commandNamed: (operationId: string) => CommandEndpoint
  hub: Hub
  leases: Leases
  inLine: InLine
  sendLong: SendLong
  transact: Transact
  transactMany: TransactMany
  objects: Objects
  /** Calls to servers that the operator has configured. */
  outbound: Outbound
  /** Calls to public servers, for the pictures that people choose. */
  pictures: Outbound
  /** The providers that people sign in with. */
  providers: Providers
  secrets: Secrets
  encryptedCookies: EncryptedCookies
  log: Logger
  security: SecurityLog
  noteSourceRefusal: NoteSourceRefusal
}

export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** The sender of a request: the caller's id, or the network of a client without a session. */
export const senderOf = ({ caller, ip }: FastifyRequest) => caller?.actor.id ?? networkOf(ip)

export function callOf(portal: Portal, request: FastifyRequest): Call {
  const { config, db, passwords, deletionHooks, commandNamed, outbound, pictures, providers, secrets, objects } = portal
  const isReady = async () =>
    !isStopping(request.server) &&
    db.ping().then(
      () => true,
      () => false,
    )
  return {
    actor: request.caller?.actor ?? null,
    session: request.caller?.session ?? null,
    params: request.params,
    query: request.query,
    body: request.body,
    config,
    passwords,
    deletionHooks,
    commandNamed,
    outbound,
    pictures,
    providers,
    secrets,
    objects,
    isReady,
    callerOfFeed: portal.sessions.authenticateFeed,
    isGone: () => request.raw.socket.destroyed,
    asLongAs: (holds) => {
      request.holds = holds
    },
    request: {
      id: request.id,
      ip: request.ip,
      userAgent: request.headers['user-agent']?.slice(0, 500) ?? null,
      accept: request.headers.accept,
      ifMatch: request.headers['if-match'],
      ...tokensOf(config, request),
      encryptedCookie: (name) => encryptedCookieOf(portal, request, name),
    },
  }
}

/** The call with a connection pool that the database keeps read-only. */
export const readingCallOf = (portal: Portal, request: FastifyRequest) => ({ ...callOf(portal, request), db: portal.db.reads })
