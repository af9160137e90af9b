/** One request: authenticate, validate, run, record, reply. */
import { maxHeaderSize } from 'node:http'
import cookies from '@fastify/cookie'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { TSchema } from 'typebox'
import { discardRests } from '../bodies/discard.ts'
import { limitBodies } from '../bodies/silence.ts'
import type { Config } from '../config.ts'
import { askingFor } from '../database/fair-pool.ts'
import { Refusal } from '../errors/refusal.ts'
import { writerOf } from '../json.ts'
import { observeAnswer } from '../metrics/metrics.ts'
import { UPLOAD_WITHIN_MS } from '../objects/uploads.ts'
import { drainOnClose } from '../process/draining.ts'
import { authenticate, causeOf } from './authentication.ts'
import { leaveBodies, takingBodies } from './bodies.ts'
import { type Handler, type Portal, senderOf } from './call.ts'
import { type Endpoint, isRecorded } from './endpoint.ts'
import { handlerOf } from './handlers.ts'
import { headersOfEveryAnswer, isAmbiguous } from './headers.ts'
import { answeringOnce, takesKey } from './idempotency.ts'
import { openMisconfigured } from './misconfigured.ts'
import { endLate, inPieces } from './pieces.ts'
import { answerBrokenRequests, asRefusal, replyWithError } from './refusal-reply.ts'
import { refuseUnknown } from './unknown-addresses.ts'
import { addressCheck, parseQuery } from './validate.ts'

const HEADERS_WITHIN_MS = 15_000

/** The fallback for addresses without an endpoint (the pages); undefined refuses the address as unknown. */
type Elsewhere = (request: FastifyRequest, reply: FastifyReply) => FastifyReply | undefined

interface Beside {
  /** Adds routes that are not endpoints, directly to Fastify. */
  addRoutes?: (app: FastifyInstance) => void
  elsewhere?: Elsewhere
}

/** An HTTP server that answers these endpoints, under `/api`, and the routes and addresses beside them. */
export async function serve(
  portal: Portal,
  endpoints: readonly Endpoint[],
  { addRoutes = () => {}, elsewhere = () => undefined }: Beside = {},
): Promise<FastifyInstance> {
  const { config, log } = portal
  const headers = headersOfEveryAnswer(config.secureCookies)
  const app: FastifyInstance = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    // The log lines of a request name its id themselves, so that no request needs a logger of its own.
    childLoggerFactory: (logger) => logger,
    genReqId: () => crypto.randomUUID(),
    requestTimeout: UPLOAD_WITHIN_MS,
    // Node would refuse a request without a host by itself, and without a request id.
    http: { requireHostHeader: false, headersTimeout: HEADERS_WITHIN_MS },
    trustProxy: trustedProxies(config),
    // No parameter is longer than the head may be, so endpoints check ids of any length themselves.
    routerOptions: { maxParamLength: maxHeaderSize, ignoreTrailingSlash: true, querystringParser: parseQuery },
    return503OnClosing: false,
    // An address that cannot be decoded belongs to no endpoint; outside `/api`, a page answers.
    frameworkErrors: (error, request, reply) => {
      reply.headers(headers)
      if (error.code !== 'FST_ERR_BAD_URL' || !elsewhere(request, reply as FastifyReply))
        replyWithError(error, request, reply as FastifyReply)
    },
    clientErrorHandler: answerBrokenRequests(headers),
  })
  leaveBodies(app)
  discardRests(app)
  app.setValidatorCompiler(({ schema }) => {
    const check = addressCheck(schema as TSchema)
    return (value) => {
      check(value)
      return true
    }
  })
  app.setSerializerCompiler(
    ({ schema }) =>
      (value) =>
        writerOf(schema as TSchema)(value),
  )
  const misconfigured = openMisconfigured(config, log)
  app.setErrorHandler(async (error: Error, request, reply) => {
    if (error instanceof Refusal && error.code === 'foreign_origin') misconfigured.noteForeign(request)
    const cause = await causeOf(portal, request, error)
    await portal.noteSourceRefusal(request, asRefusal(cause, request.id))
    return replyWithError(cause, request, reply, portal.security)
  })
  const refuse = refuseUnknown(app)
  app.setNotFoundHandler((request, reply) => elsewhere(request, reply) ?? refuse(request))
  app.decorateRequest('caller', null)
  app.decorateRequest('sessionTokens')
  app.decorateRequest('isLate', false)
  app.decorateRequest('once', null)
  app.decorateRequest('holds', null)

  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headers).header('x-request-id', request.id)
    misconfigured.noteForwarded(request)
    const lacksHost = request.headers.host === undefined && request.raw.httpVersion === '1.1'
    done(lacksHost || isAmbiguous(request.raw.rawHeaders) ? new Refusal('validation_failed') : undefined)
  })
  await app.register(cookies)
  // An `Expect` header may be ignored. Node would refuse the request by itself, and without a request id.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  app.addHook('onResponse', (request, reply, done) => {
    observeAnswer(app, request.method, request.routeOptions.url ?? 'none', reply.statusCode, reply.elapsedTime / 1000)
    const level = reply.statusCode === 500 ? 'error' : request.method === 'GET' ? 'debug' : 'info'
    if (log.isLevelEnabled(level)) log[level](describeAnswer(request, reply), 'answered')
    done()
  })

  limitBodies(app)
  drainOnClose(app)
  endLate(app)

  addRoutes(app)
  const taking = takingBodies(portal)
  for (const endpoint of endpoints) addRoute(app, portal, endpoint, taking)
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

/** Which proxies to trust: a number of hops, or certain addresses. */
const trustedProxies = ({ trustProxy }: Config) =>
  typeof trustProxy === 'number' ? (_address: string, hop: number) => hop < trustProxy : (trustProxy ?? false)

/** Makes the queries of a request take turns under its person, or under the address from which it comes. */
const fairly =
  (handle: Handler): Handler =>
  (request, reply) =>
    askingFor(senderOf(request), () => handle(request, reply))

function addRoute(app: FastifyInstance, portal: Portal, endpoint: Endpoint, taking: ReturnType<typeof takingBodies>) {
  const [method, path] = endpoint.at.split(' ') as [string, string]
  const { params, query, body, reply, status = 200, nameIn } = endpoint
  const answer = handlerOf(portal, endpoint)
  const handle = takesKey(endpoint) ? answeringOnce(portal, endpoint, answer) : answer
  app.route({
    method: method as 'GET',
    url: `/api${path}`,
    config: { ...(nameIn && { nameIn }) },
    // HEAD makes no sense for a stream, and must not record a reading that did not happen.
    exposeHeadRoute: endpoint.does !== 'stream' && !isRecorded(endpoint),
    schema: {
      ...(params && { params }),
      ...(query && { querystring: query }),
      ...(reply && status !== 204 && status !== 303 && { response: { [status]: reply } }),
    },
    onRequest: async (request, reply) => {
      // The id is read before any other data, even before the caller is authenticated.
      if (endpoint.sendsEventId) reply.header('last-event-id', portal.hub.lastId())
      await authenticate(portal, endpoint, request)
    },
    onSend: inPieces(portal, endpoint),
    handler: fairly(body ? taking(endpoint, body, handle) : handle),
  })
}
