/** Sends generated requests to the portal, and checks every answer against the document. */
import assert from 'node:assert/strict'
import { Agent } from 'undici'
import type { Client } from '../client.ts'
import { wrongAnswersIn } from '../document-schemas.ts'
import { type Document, documented, type Route } from '../running.ts'
import type { Caller } from './callers.ts'
import type { KnownValues } from './known-values.ts'
import type { Request } from './requests.ts'

export interface Reply {
  request: Request
  status: number
  headers: Headers
  text: string
  ms: number
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: characters that no stored text may contain
const UNWANTED = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/
function checkStored(_name: string, value: unknown) {
  if (typeof value === 'string')
    assert.ok(
      value.isWellFormed() && !UNWANTED.test(value) && value === value.normalize(),
      `answers ${JSON.stringify(value.slice(0, 100))}`,
    )
  return value
}

const describe = (route: Route, { as, path, headers = {}, type, body }: Request) =>
  `${as}: ${route.method} ${path.slice(0, 300)} ${JSON.stringify(headers).slice(0, 300)} ${type ?? ''}\n${String(body ?? '').slice(0, 500)}`
export const describeAll = (route: Route, requests: Request[]) => requests.map((request) => describe(route, request)).join('\n')

export const isRefused = ({ status }: { status: number }) => status >= 400
/** Downloads that are recorded in the audit log. */
const recorded = ['GET /service-reports/orders.csv']
export const isReading = ({ at, endpoint }: Route) =>
  ['query', 'download', 'file', 'stream'].includes(endpoint.does) && !recorded.includes(at)

/** `logged` has the latest errors of the portal's log, which explain a failure. */
export function openSender(base: string, document: Document, clients: Record<Caller, Client>, known: KnownValues, logged: string[]) {
  const dispatcher = new Agent({ headersTimeout: 240_000, bodyTimeout: 240_000 })
  const wrongWith = wrongAnswersIn(document)
  const byStatus = new Map<number, number>()
  const succeeded = new Set<string>()

  async function exchange({ method, endpoint }: Route, request: Request): Promise<Reply> {
    const { as, path, body, type, headers: own } = request
    const start = performance.now()
    // As a raw path: a URL would normalise `.` and `..` before it is sent.
    const answer = await dispatcher.request({
      origin: base,
      path: `/api${path}`,
      method: method as 'GET',
      headers: { ...own, ...(type !== undefined && { 'content-type': type }), ...(clients[as].cookie && { cookie: clients[as].cookie }) },
      body,
    })
    const headers = new Headers()
    for (const [name, values = []] of Object.entries(answer.headers)) for (const value of [values].flat()) headers.append(name, value)
    const reply = (text: string) => ({ request, status: answer.statusCode, headers, text, ms: performance.now() - start })
    if (endpoint.does === 'stream' && answer.statusCode === 200) {
      answer.body.on('error', () => {}).destroy()
      return reply('')
    }
    return reply(await answer.body.text())
  }

  function check(route: Route, { status, headers, text }: Reply) {
    assert.match(String(headers.get('x-request-id')), /^[0-9a-f-]{36}$/)
    assert.ok((status !== 204 && status !== 304) || text === '', 'an empty answer has a body')
    const isJson = /^application\/(scim\+)?json/.test(headers.get('content-type') ?? '') && text !== ''
    const body = isJson ? JSON.parse(text, status < 400 ? checkStored : undefined) : null
    assert.deepEqual(wrongWith(route.method, documented(route), { status, headers, body }), [], 'the answer is not as documented')
    if (status >= 400) assert.ok(isJson && text.length < 20_000 && body.messageAr && body.messageEn, 'is no refusal')
    // On a slow machine, an endpoint that declares `unavailable` may answer with it; from any other endpoint, it means that the database is
    // lost.
    const mayBeLate = route.endpoint.refuses?.some((one) => one === 'unavailable')
    assert.ok(status < 500 || (status === 503 && (mayBeLate || body.code !== 'unavailable')), 'broke')
    if (status < 400) known.learn(route, text, body, headers.get('etag'))
  }

  async function send(route: Route, request: Request) {
    const reply = await exchange(route, request)
    try {
      check(route, reply)
    } catch (error) {
      const { status, headers, text } = reply
      const causes = logged.filter((line) => line.includes(headers.get('x-request-id') ?? ''))
      throw new Error([(error as Error).message, describe(route, request), `${status} ${text.slice(0, 500)}`, ...causes].join('\n'))
    }
    byStatus.set(reply.status, (byStatus.get(reply.status) ?? 0) + 1)
    if (!isRefused(reply)) succeeded.add(route.at)
    return reply
  }

  return {
    send: (route: Route, requests: Request[]) => Promise.all(requests.map((request) => send(route, request))),
    /** Sends requests of a caller whose rights end while they run, which aborts long answers; returns the replies to the rest. */
    async sendLeaving(route: Route, requests: Request[]) {
      const cutOff = (error: { code?: string }) => {
        if (isReading(route) && error.code === 'UND_ERR_SOCKET') return []
        throw error
      }
      return (await Promise.all(requests.map((request) => send(route, request).catch(cutOff)))).flat()
    },
    close: () => dispatcher.close(),
    byStatus,
    succeeded,
  }
}
export type Sender = ReturnType<typeof openSender>
