/** One request: authenticate, validate, run, record, reply. */

import { Readable } from 'node:stream'
import cookies from '@fastify/cookie'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Logger } from 'pino'
import type { TSchema } from 'typebox'
import type { Limits } from '../auth/limits.ts'
import type { Passwords } from '../auth/passwords.ts'
import type { Caller, Sessions } from '../auth/sessions.ts'
import { retrying, type Transact } from '../changes/transact.ts'
import { batched, mutex } from '../concurrency.ts'
import type { Config } from '../config.ts'
import type { Db, Tx } from '../database/db.ts'
import type { Hub } from '../events/hub.ts'
import type { Objects } from '../objects/store.ts'
import type { Outbound } from '../outbound.ts'
import { Refusal, refuse } from '../refusal.ts'
import { addDocument } from './docs-page.ts'
import { drainOnClose, isStopping } from './draining.ts'
import type { Download, Endpoint } from './endpoint.ts'
import { sendFile } from './files.ts'
import { headersOfEveryAnswer } from './headers.ts'
import { observeAnswer } from './metrics.ts'
import { documentOf } from './openapi.ts'
import type { Listed } from './openapi-operation.ts'
import { answerBrokenRequests, JSON_TYPE, replyWithError } from './refusal-reply.ts'
import { leaveBodies, limitBodies, receive, UPLOAD_WITHIN_MS } from './uploads.ts'
import { addressCheck, bodyCheck, parseJson, parseQuery } from './validate.ts'
import { LongList } from './wire.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null
  }
}

/** What the portal is made of. */
export interface Portal {
  config: Config
  db: Db
  sessions: Sessions
  passwords: Passwords
  limits: Limits
  hub: Hub
  transact: Transact
  objects: Objects
  /** The way to addresses that the operator names. */
  outbound: Outbound
  log: Logger
}

const BODY_LIMIT = 1024 * 1024
const HEADERS_WITHIN_MS = 15_000
const SESSION_SECONDS_AT_MOST = 30 * 24 * 3600

export const cookieName = (config: Config) => (config.secureCookies ? '__Host-portal_session' : 'portal_session')

/** An HTTP server that answers exactly these endpoints, under `/api`. */
export async function serve(portal: Portal, endpoints: readonly Listed[]): Promise<FastifyInstance> {
  const { config, log } = portal
  const headers = headersOfEveryAnswer(config.secureCookies)
  const app: FastifyInstance = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => crypto.randomUUID(),
    bodyLimit: BODY_LIMIT,
    requestTimeout: UPLOAD_WITHIN_MS,
    // Without a host, Node would refuse by itself, without a request id.
    http: { requireHostHeader: false, headersTimeout: HEADERS_WITHIN_MS },
    trustProxy: trustedProxies(config),
    routerOptions: { maxParamLength: 500, ignoreTrailingSlash: true, querystringParser: parseQuery },
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => void replyWithError(error, request, reply.headers(headers) as FastifyReply),
    clientErrorHandler: answerBrokenRequests(headers),
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
    try {
      done(null, parseJson(body as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
  app.setValidatorCompiler(({ schema, httpPart }) => {
    const check = httpPart === 'body' ? bodyCheck(schema as TSchema) : addressCheck(schema as TSchema)
    return (value) => {
      check(value)
      return true
    }
  })
  app.setErrorHandler(replyWithError)
  app.setNotFoundHandler(() => refuse('route_not_found'))
  app.decorateRequest('caller', null)

  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id)
    const lacksHost = request.headers.host === undefined && request.raw.httpVersion === '1.1'
    done(lacksHost ? new Refusal('validation_failed') : undefined)
  })
  await app.register(cookies)
  // An expectation is a wish; Node would refuse it by itself, without a request id.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.addHook('onResponse', (request, reply, done) => {
    observeAnswer(app, request.method, request.routeOptions.url ?? 'none', reply.statusCode, reply.elapsedTime / 1000)
    const level = reply.statusCode === 500 ? 'error' : request.method === 'GET' ? 'debug' : 'info'
    if (log.isLevelEnabled(level)) log[level](describeAnswer(request, reply), 'answered')
    done()
  })

  limitBodies(app)
  drainOnClose(app)

  await addDocument(app, documentOf(endpoints, cookieName(config)))
  for (const endpoint of endpoints) {
    if (endpoint.does !== 'upload') addRoute(app, portal, endpoint)
    else
      await app.register(async (apart) => {
        leaveBodies(apart)
        addRoute(apart, portal, endpoint)
      })
  }
  await app.ready()
  return app
}

const describeAnswer = (request: FastifyRequest, reply: FastifyReply) => ({
  reqId: request.id,
  method: request.method,
  route: request.routeOptions.url,
  status: reply.statusCode,
  ms: Math.round(reply.elapsedTime),
  user: request.caller?.actor.id,
})

/** How many proxies, counted from this server, or which addresses are believed. */
const trustedProxies = ({ trustProxy }: Config) =>
  typeof trustProxy === 'number' ? (_address: string, hop: number) => hop < trustProxy : (trustProxy ?? false)

function addRoute(app: FastifyInstance, portal: Portal, endpoint: Endpoint) {
  const [method, path] = endpoint.at.split(' ') as [string, string]
  const { params, query, body, reply, status = 200 } = endpoint
  app.route({
    method: method as 'GET',
    url: `/api${path}`,
    // A stream has no end that the head alone could be sent before, and a reading that is noted is of the whole.
    exposeHeadRoute: endpoint.does !== 'stream' && endpoint.does !== 'command',
    schema: {
      ...(params && { params }),
      ...(query && { querystring: query }),
      ...(body && { body }),
      ...(reply && status !== 204 && { response: { [status]: reply } }),
    },
    onRequest: (request) => authenticate(portal, endpoint, request),
    handler: handlers[endpoint.does](portal, endpoint),
  })
}

/** Runs before the body is read, so that a stranger learns nothing of its shape. */
async function authenticate({ sessions, config }: Portal, endpoint: Endpoint, request: FastifyRequest) {
  const { allow } = endpoint
  if (allow === 'anyone') return refuseForeignOrigin(config, endpoint, request)
  const caller = (await sessions.authenticate(request.cookies[cookieName(config)])) ?? refuse('unauthorized')
  request.caller = caller
  refuseForeignOrigin(config, endpoint, request)
  if (!caller.actor.mayEnter(allow)) refuse('forbidden')
}

/** A page of another site must not act for the person who looks at it. */
function refuseForeignOrigin({ publicOrigin }: Config, { does }: Endpoint, { method, headers }: FastifyRequest) {
  if ((method === 'GET' || method === 'HEAD') && does !== 'command') return
  const isForeign = headers.origin !== undefined && headers.origin !== publicOrigin
  if (isForeign || headers['sec-fetch-site'] === 'cross-site') refuse('forbidden')
}

function asked({ config, db, passwords, outbound }: Portal, request: FastifyRequest) {
  const isReady = () =>
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
    outbound,
    isReady,
    request: { id: request.id, ip: request.ip, userAgent: request.headers['user-agent']?.slice(0, 500) ?? null },
  }
}

const writeOut = (reply: FastifyReply, answer: unknown, status: number) =>
  Buffer.isBuffer(answer) ? answer : reply.serializeInput(answer as Record<string, unknown>, String(status))

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

const handlers: Record<Endpoint['does'], (portal: Portal, endpoint: Endpoint) => Handler> = {
  query:
    (portal, { run }) =>
    async (request, reply) => {
      const answer = await run({ ...asked(portal, request), db: portal.db.reads })
      if (answer instanceof LongList) return reply.type(JSON_TYPE).send(Readable.from(answer.chunks, { objectMode: false }))
      if (Buffer.isBuffer(answer)) reply.type(JSON_TYPE)
      return reply.send(answer)
    },

  command: (portal, { run, answer, prepare, limits, mutexKey, status = 200, changesAccess }) => {
    const takeTurn = mutex<number | string>()
    return async (request, reply) => {
      const call = asked(portal, request)
      const known = await answer?.({ ...call, db: portal.db.reads })
      if (known !== undefined) return reply.type(JSON_TYPE).send(known)
      const act = async () => {
        let token: string | null | undefined
        const cookie = { set: (value: string) => (token = value), clear: () => (token = null) }
        const prepared = await prepare?.({ ...call, db: portal.db.reads })
        // Written out before the commit: a reply that does not fit its shape undoes what was done.
        const work = async (tx: Tx) => {
          const outcome = await run({ ...call, tx, cookie, prepared })
          return { ...outcome, reply: status === 204 ? undefined : writeOut(reply, outcome.reply, status) }
        }
        const done = await portal.transact(call.actor, work, { changesAccess })
        if (token !== undefined) setCookie(portal.config, reply, token)
        return done
      }
      const actInTurn = () => (mutexKey ? takeTurn(mutexKey(call), act) : act())
      const done = await (limits ? portal.limits.within(await limits({ ...call, db: portal.db.reads }), actInTurn) : actInTurn())
      if (status !== 204) reply.type(JSON_TYPE)
      return reply.code(status).send(done)
    }
  },

  batched: (portal, { key, work, settle }) => {
    const write = (keys: unknown[]) => portal.db.writes.transaction().execute((tx) => work(tx, keys) as Promise<unknown[]>)
    const inTurn = batched((keys: unknown[]) => retrying(() => write(keys)))
    return async (request, reply) => {
      settle(await inTurn(await key({ ...asked(portal, request), db: portal.db.reads })))
      return reply.code(204).send()
    }
  },

  download:
    (portal, { run }) =>
    async (request, reply) => {
      const { filename, contentType, chunks } = (await run({ ...asked(portal, request), db: portal.db.reads })) as Download
      return reply
        .header('content-type', contentType)
        .header('content-disposition', `attachment; filename="${filename}"`)
        .send(Readable.from(chunks, { objectMode: false }))
    },

  file:
    (portal, { run }) =>
    async (request, reply) =>
      sendFile(portal.objects, request, reply, await run({ ...asked(portal, request), db: portal.db.reads })),

  upload:
    ({ objects, transact, ...portal }, { expect, settle }) =>
    async (request, reply) => {
      const call = asked({ objects, transact, ...portal }, request)
      const stored = await receive(objects, request.raw, await expect({ ...call, db: portal.db.reads }))
      await transact(call.actor, (tx) => settle({ ...call, tx, stored })).catch(async (error) => {
        // Whatever else fails may have been committed: bytes that nothing counts are swept later.
        if (error instanceof Refusal) await objects.remove(stored.key)
        throw error
      })
      return reply.code(204).send()
    },

  stream:
    (portal, { run }) =>
    async (request, reply) => {
      const token = request.cookies[cookieName(portal.config)]!
      reply.hijack()
      reply.raw.writeHead(200, { ...reply.getHeaders(), 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' } as Record<
        string,
        string
      >)
      await run({ ...asked(portal, request), hub: portal.hub, headers: request.headers, raw: reply.raw, token }).catch((error: unknown) => {
        portal.log.warn({ err: error, reqId: request.id }, 'a stream broke off')
        reply.raw.destroy()
      })
    },
}

function setCookie(config: Config, reply: FastifyReply, token: string | null) {
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure: config.secureCookies } as const
  if (token === null) reply.clearCookie(cookieName(config), options)
  else reply.setCookie(cookieName(config), token, { ...options, maxAge: SESSION_SECONDS_AT_MOST })
}
