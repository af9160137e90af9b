/** Refusals and errors as HTTP answers. */
import type { Socket } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { bearerIn } from '../auth/api-tokens.ts'
import { isUnavailable } from '../database/db.ts'
import { type FieldRule, ruleError } from '../errors/field-errors.ts'
import { quotaExceeded, Refusal, type RefusalCode, refusalStatus } from '../errors/refusal.ts'
import { refusalBody } from '../errors/refusal-body.ts'
import type { SecurityLog } from '../security-log.ts'
import { SCIM_TYPE, scimBody, speaksScim } from './scim.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'
/** The media type of the JSON with which a request is answered. */
export const typeOf = (request: Pick<FastifyRequest, 'url'>) => (speaksScim(request) ? SCIM_TYPE : JSON_TYPE)

/** The codes of Fastify's errors, and the refusals they become. */
const ours: Record<string, RefusalCode> = {
  FST_ERR_NOT_FOUND: 'route_not_found',
}

/** The SQLSTATEs that a trigger raises for an invalid reference to an object, and the rules that the field breaks. */
const wrongObjects: Record<string, FieldRule> = { BW002: 'exists', BW004: 'picture' }
const wrongObject = (rule: FieldRule, column = '') => {
  const path = column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  return new Refusal('validation_failed', { body: { details: [ruleError(path, rule, {})] } })
}

/** The SQLSTATE that a trigger raises when a person exceeds a quota; its detail is the rest of the refusal's body. */
const SHARE_USED_UP = 'BW003'

export function asRefusal(
  error: Error & { code?: string; statusCode?: number; column?: string; detail?: string },
  requestId: string,
): Refusal {
  if (error instanceof Refusal) return error
  const broken = error.code && wrongObjects[error.code]
  if (broken) return wrongObject(broken, error.column)
  if (error.code === SHARE_USED_UP) return quotaExceeded(JSON.parse(error.detail!))
  const known = error.code && ours[error.code]
  if (known) return new Refusal(known)
  if (isUnavailable(error)) return new Refusal('unavailable', { retryAfter: 1 })
  if (error.code?.startsWith('FST_') && error.statusCode && error.statusCode < 500) return new Refusal('validation_failed')
  return new Refusal('internal', { body: { requestId } })
}

/** Replies to any error. An unexpected one reveals its request's id and nothing of its cause. */
export function replyWithError(error: Error, request: FastifyRequest, reply: FastifyReply, security?: SecurityLog) {
  const refusal = asRefusal(error, request.id)
  security?.noteRefusal(refusal, request)
  if (refusal.code === 'internal') request.log.error({ reqId: request.id, err: error }, 'unhandled error')
  else if (refusal.code === 'unavailable') request.log.warn({ reqId: request.id, cause: error.message }, 'dependency unavailable')
  reply.removeHeader('last-event-id')
  // Otherwise, the next request on the connection would be taken for the rest of the body.
  if (refusal.code === 'body_too_slow') reply.header('connection', 'close')
  if (refusal.extras.retryAfter) reply.header('retry-after', refusal.extras.retryAfter)
  if (refusal.extras.allow) reply.header('allow', refusal.extras.allow.join(', '))
  if (refusal.extras.contentRange) reply.header('content-range', refusal.extras.contentRange)
  if (refusalStatus(refusal) === 401 && bearerIn(request.headers.authorization) !== undefined)
    reply.header('www-authenticate', 'Bearer error="invalid_token"')
  reply.header('x-request-id', request.id)
  return reply
    .code(refusalStatus(refusal))
    .type(typeOf(request))
    .send(JSON.stringify((speaksScim(request) ? scimBody : refusalBody)(refusal)))
}

/** Answers requests that are not valid HTTP, which never reach Fastify, with an ordinary refusal and the usual headers. */
export const answerBrokenRequests = (common: Record<string, string>) => (error: Error & { code?: string }, socket: Socket) => {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const isSlow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
  const status = isSlow
    ? '408 Request Timeout'
    : error.code === 'HPE_HEADER_OVERFLOW'
      ? '431 Request Header Fields Too Large'
      : '400 Bad Request'
  const body = JSON.stringify(refusalBody(new Refusal(isSlow ? 'body_too_slow' : 'validation_failed')))
  const headers = {
    ...common,
    'content-type': JSON_TYPE,
    'content-length': Buffer.byteLength(body),
    'x-request-id': crypto.randomUUID(),
    connection: 'close',
  }
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end(`HTTP/1.1 ${status}\r\n${fields.join('\r\n')}\r\n\r\n${body}`)
}
