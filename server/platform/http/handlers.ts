/** The request handlers of the six types of endpoint. */
import type { OutgoingHttpHeaders } from 'node:http'
import { finished } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { changed } from '../changes/outcome.ts'
import { Refusal, refuse } from '../errors/refusal.ts'
import { streamsOf } from '../events/presence.ts'
import { dispositionOf, sendFile } from '../objects/files.ts'
import { receive, takeAlone } from '../objects/uploads.ts'
import { namesTag } from '../tags.ts'
import { authenticate, whileCurrent } from './authentication.ts'
import { callOf, type Handler, type Portal, readingCallOf } from './call.ts'
import type { Read } from './call-input.ts'
import { answerCommand } from './command.ts'
import type { Call, DownloadEndpoint, Endpoint, FileEndpoint, QueryEndpoint, StreamEndpoint, UploadEndpoint } from './endpoint.ts'
import { etagOf } from './etag.ts'
import type { Page } from './page.ts'
import { typeOf } from './refusal-reply.ts'
import { Bytes, LongList, WithHeaders } from './wire.ts'

export function handlerOf(portal: Portal, endpoint: Endpoint): Handler {
  switch (endpoint.does) {
    case 'query':
      return answerQuery(portal, endpoint)
    case 'command':
      return answerCommand(portal, endpoint)
    case 'download':
      return sendDownload(portal, endpoint)
    case 'file':
      return sendStored(portal, endpoint)
    case 'upload':
      return takeUpload(portal, endpoint)
    case 'stream':
      return openStream(portal, endpoint)
  }
}

/** Answers a query. A list takes its turn among the lists of its person before it is read: one that waits holds nothing in memory. */
function answerQuery(portal: Portal, endpoint: QueryEndpoint): Handler {
  const read = readQuery(portal, endpoint)
  if (endpoint.allow === 'anyone' || !Type.IsArray(endpoint.reply)) return read
  return (request, reply) =>
    portal.inLine(
      request,
      reply,
      () => authenticate(portal, endpoint, request),
      () => read(request, reply),
    )
}

/**
 * Ends a long answer once its reader would be refused. If everybody may call the endpoint, only its `run` knows the people that it refuses, so
 * that is run again; an endpoint that knows a cheaper or narrower condition replaces this one by `asLongAs`.
 */
function refuseAgain({ allow, refuses = [], run }: QueryEndpoint | FileEndpoint, call: Call & Read) {
  if (allow !== 'signed-in' || refuses.length === 0) return
  call.asLongAs(async (actor) => {
    await run({ ...call, actor })
    return true
  })
}

const readQuery = (portal: Portal, endpoint: QueryEndpoint) => async (request: FastifyRequest, reply: FastifyReply) => {
  const call = readingCallOf(portal, request)
  refuseAgain(endpoint, call)
  const found = await endpoint.run(call)
  const answer = found instanceof WithHeaders ? found.body : found
  if (found instanceof WithHeaders) {
    reply.headers(found.headers)
    const [known, { etag }] = [request.headers['if-none-match'], found.headers]
    if (known !== undefined && etag !== undefined && namesTag(known, etag.replace('W/', ''))) return reply.code(304).send()
  }
  const isPart = (call.query as Page | undefined)?.limit !== undefined
  if (endpoint.total && isPart) reply.header('x-total-count', String(await endpoint.total(call)))
  if (endpoint.gives) reply.header('vary', 'Accept')
  if (answer instanceof Bytes)
    return reply.type(answer.type).header('content-disposition', dispositionOf(answer.filename, 'inline')).send(answer.bytes)
  if (endpoint.record) reply.header('etag', etagOf(endpoint.record, answer))
  const askAgain = () => authenticate(portal, endpoint, request)
  if (answer instanceof LongList)
    return portal.sendLong(request, reply, { pieces: answer.chunks, headers: { 'content-type': typeOf(request) }, askAgain })
  return reply.type(typeOf(request)).send(answer)
}

const sendDownload =
  (portal: Portal, endpoint: DownloadEndpoint): Handler =>
  async (request, reply) => {
    const produce = async () => {
      const call = readingCallOf(portal, request)
      const made = await endpoint.run(call)
      const change = endpoint.recorded?.(call)
      if (change) await portal.transact(call.actor, async () => changed(null, change), { caller: request.caller })
      return made
    }
    const { filename, contentType, chunks, omitted = 0 } = await whileCurrent(portal, endpoint, request, produce)
    const headers = {
      'content-type': contentType,
      'content-disposition': dispositionOf(filename),
      ...(omitted > 0 && { 'x-rows-omitted': String(omitted) }),
    }
    return portal.sendLong(request, reply, { pieces: chunks, headers, askAgain: () => authenticate(portal, endpoint, request) })
  }

const sendStored =
  (portal: Portal, endpoint: FileEndpoint): Handler =>
  async (request, reply) => {
    const { limits, run } = endpoint
    const call = readingCallOf(portal, request)
    refuseAgain(endpoint, call)
    const found = limits ? await portal.limits.within(await limits(call), () => run(call)) : await run(call)
    return sendFile(portal.objects, request, reply, found)
  }

const takeUpload =
  (portal: Portal, endpoint: UploadEndpoint): Handler =>
  async (request, reply) => {
    const { leases, objects, transact } = portal
    const expected = await endpoint.expect(readingCallOf(portal, request))
    const stored = await takeAlone(leases, request, () => receive(objects, request.raw, expected))
    const settle = () => {
      const call = callOf(portal, request)
      return transact(call.actor, (tx) => endpoint.run({ ...call, tx, stored }), { caller: request.caller })
    }
    await whileCurrent(portal, endpoint, request, settle).catch(async (error) => {
      // After any other error, the transaction may have been committed. Bytes that nothing refers to are removed later.
      if (error instanceof Refusal) await objects.remove(stored.key)
      throw error
    })
    return reply.code(204).send()
  }

const MOST_STREAMS = 20
const FULL_RETRY_SECONDS = 30

const openStream =
  (portal: Portal, { run }: StreamEndpoint): Handler =>
  async (request, reply) => {
    const token = request.sessionTokens[0]!
    const giveBack =
      (await portal.leases.take(streamsOf(request.caller!.actor.id), MOST_STREAMS)) ??
      refuse('rate_limited', { retryAfter: FULL_RETRY_SECONDS })
    reply.hijack()
    finished(reply.raw, giveBack)
    const headers = { ...reply.getHeaders(), 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' }
    reply.raw.writeHead(200, headers as OutgoingHttpHeaders)
    const listening = { hub: portal.hub, headers: request.headers, raw: reply.raw, token }
    await run({ ...callOf(portal, request), ...listening }).catch((error: unknown) => {
      portal.log.warn({ err: error, reqId: request.id }, 'a stream broke off')
      reply.raw.destroy()
    })
  }
