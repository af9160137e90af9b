/** Calls to the portal, typed from its OpenAPI document. */
import { signal } from '@preact/signals'
import type { Client } from 'openapi-fetch'
import type { components, paths } from '../../client/schema.d.ts'
import { Refusal, Unreached } from './refusal.ts'
import { at } from './router.ts'

export type { paths } from '../../client/schema.d.ts'
/** The records of the document by name: `Schemas['ServiceOrder']`. */
export type Schemas = components['schemas']

/** Whether the portal answered the last call. */
export const isReached = signal(navigator.onLine)
addEventListener('online', () => {
  isReached.value = true
})
addEventListener('offline', () => {
  isReached.value = false
})

const SECOND_MS = 1000
/** The portal's time minus `performance.now()`, in ms. Unlike the device's clock, `performance.now()` cannot be set by anybody. */
let ahead = Number.NEGATIVE_INFINITY
const portalMs = () => (Number.isFinite(ahead) ? performance.now() + ahead : Date.now())
/** Converts a time of the portal's clock to this device's, in ms since 1970, because the two may differ. Accurate to a second. */
export const onThisClock = (moment: string) => Date.parse(moment) - portalMs() + Date.now()
/** The present time of the portal's clock. Accurate to a second. */
export const portalNow = () => new Date(portalMs())

/**
 * The id of the last event before the portal last sent the signed-in person, such as at `/auth/me`. A stream that resumes after this event
 * misses no change. Empty until then.
 */
export let readAfter = ''

const signOutListeners = new Set<() => unknown>()
/** Calls back whenever a call other than a sign-in is refused because nobody is signed in (`unauthorized`). */
export const onSignedOut = (listener: () => unknown) => void signOutListeners.add(listener)

let remedy: (refusal: Refusal) => Promise<boolean> = async () => false
/** Sets how the page reacts when the portal forbids a call. `by` resolves to whether to send the call again. */
export const onForbidden = (by: typeof remedy) => {
  remedy = by
}

/** The version of the record in an answer. */
export const versionOf = (response: Response) => response.headers.get('etag') ?? undefined
/** The header that makes the portal refuse a change (412) if the record is newer than the form's version. */
export const ifMatch = (version: string | undefined): Record<string, string> => (version ? { 'If-Match': version } : {})

/** A new key for the header `Idempotency-Key`: calls with the same key take effect once. */
export const idempotencyKey = () => String(crypto.getRandomValues(new Uint32Array(4)))

/**
 * The keys of POST calls without an answer, by address and body. An equal call reuses the key, so that the two calls take effect only once.
 */
const unanswered = new Map<string, string>()

/**
 * Returns a secret that the portal shows only once, or throws `Unreached` if it is null. It is null in a repeated answer: the call took
 * effect, but its first answer was lost, and the secret with it. The next try makes a new secret.
 */
export function shownOnce<T>(secret: T | null): T {
  if (secret === null) throw new Unreached()
  return secret
}

interface Init extends RequestInit {
  headers: Headers
  /** Sends the call; `fetch` by default. */
  fetch?: typeof fetch | undefined
}

/** A call that is not answered within this time counts as lost; an upload gets 20 times as long. */
const LIMIT_MS = 30_000
async function ask(address: string, init: Init) {
  const limit = AbortSignal.timeout(init.body instanceof Blob ? LIMIT_MS * 20 : LIMIT_MS)
  const response = await (init.fetch ?? fetch)(address, { ...init, signal: init.signal ? AbortSignal.any([limit, init.signal]) : limit })
  return { response, text: await response.text() }
}

/** Sends a call. If a call with an idempotency key is not answered, it is sent a second time. */
async function send(address: string, init: Init) {
  const isAborted = () => init.signal?.aborted
  try {
    const answer = await ask(address, init).catch((failure) => {
      if (!init.headers.has('idempotency-key') || isAborted()) throw failure
      return ask(address, init)
    })
    // A call under way may still be answered after the connection is gone.
    isReached.value = navigator.onLine
    return answer
  } catch (failure) {
    if (isAborted()) throw failure
    isReached.value = false
    throw new Unreached()
  }
}

/** The bytes of bodies under way with `keepalive`. Browsers refuse a call with which they would exceed 64 KiB. */
let keptAlive = 0
const MOST_KEPT_ALIVE = 60_000

/** Sends a call, with `keepalive` only if the browser can take its body. */
async function sendKept(address: string, init: Init) {
  const bytes = init.keepalive ? new Blob([init.body as string]).size : 0
  if (!init.keepalive || keptAlive + bytes > MOST_KEPT_ALIVE) return send(address, { ...init, keepalive: false })
  keptAlive += bytes
  return send(address, init).finally(() => {
    keptAlive -= bytes
  })
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
interface Call extends Omit<RequestInit, 'body'> {
  fetch?: Init['fetch']
  params?: { path?: Record<string, unknown>; query?: Record<string, unknown> }
  body?: unknown
}

function addressOf(path: string, { path: values = {}, query = {} }: NonNullable<Call['params']>) {
  const filled = path.replace(/{(\w+)}/g, (_, name: string) => encodeURIComponent(`${values[name]}`))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    for (const one of [value].flat()) if (one !== undefined && one !== null) search.append(name, `${one}`)
  return at(`/api${filled}${search.size ? `?${search}` : ''}`)
}

const call = (method: Method) =>
  async function run(path: string, { params = {}, body, fetch, ...init }: Call = {}): Promise<{ data: unknown; response: Response }> {
    const headers = new Headers(init.headers)
    const sent = body === undefined || body instanceof Blob ? (body ?? null) : JSON.stringify(body)
    if (typeof sent === 'string') headers.set('content-type', 'application/json')
    const address = addressOf(path, params)
    const what = address + sent
    // All calls below `/auth/` but those to `me` and `admin` begin or end a session, or need none. They take no key, without which a sign-in
    // that was not answered is not sent again by itself.
    const isSignIn = /^\/auth\/[^am]/.test(path)
    if (method === 'POST' && !isSignIn && !headers.has('idempotency-key')) {
      headers.set('idempotency-key', unanswered.get(what) ?? idempotencyKey())
      unanswered.set(what, headers.get('idempotency-key')!)
    }
    // An answer that the page asked for earlier says only that the portal's time is no less: when its call began is unknown.
    const began = fetch ? Number.NEGATIVE_INFINITY : performance.now()
    const { response, text } = await sendKept(address, { ...init, fetch, method, headers, body: sent })
    unanswered.delete(what)
    const said = Date.parse(response.headers.get('date') ?? '')
    // The portal's time, cut to the second, was written while the call was under way. Within these bounds, the largest difference is the
    // most accurate: answers arrive late. API calls are never answered from a cache.
    if (said) ahead = Math.max(Math.min(ahead, said + SECOND_MS - began), said - performance.now())
    readAfter = response.headers.get('last-event-id') ?? readAfter
    if (response.ok) return { data: response.status === 204 ? undefined : JSON.parse(text), response }
    const refusal = new Refusal(
      response.status,
      // A proxy may answer with an HTML page.
      await new Response(text).json().catch(() => ({})),
      Number(response.headers.get('retry-after')) || undefined,
      response.headers.get('x-request-id'),
    )
    if (refusal.code === 'unauthorized' && !isSignIn) for (const listener of signOutListeners) listener()
    // The headers stay the same, and with them the key, so that the call takes effect once.
    if (refusal.status === 403 && (await remedy(refusal))) return run(path, { params, body, ...init, headers })
    throw refusal
  }

/** `api.POST('/orders', { body })`; throws a `Refusal`, or `Unreached` without an answer. Only the types are openapi-fetch's. */
export const api = {
  GET: call('GET'),
  POST: call('POST'),
  PUT: call('PUT'),
  PATCH: call('PATCH'),
  DELETE: call('DELETE'),
} as Pick<Client<paths>, Method>

/** The data of a call's answer: `const order = await answer(api.POST('/orders', { body }))`. */
export async function answer<T>(call: Promise<{ data?: T }>): Promise<T> {
  const { data } = await call
  return data as T
}

/** Undoes an optimistic change if its call fails: `await guess(orders.change(…), api.PATCH(…))`. Throws the call's failure. */
export async function guess<T>(undo: () => void, call: Promise<{ data?: T }>): Promise<T> {
  try {
    return await answer(call)
  } catch (failure) {
    undo()
    throw failure
  }
}
