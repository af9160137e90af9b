/** Calls of the portal, typed from its document. */
import { signal } from '@preact/signals'
import type { Client } from 'openapi-fetch'
import type { components, paths } from '../../client/schema.d.ts'
import { Refusal, Unreached } from './refusal.ts'
import { at } from './router.ts'

export type { paths } from '../../client/schema.d.ts'
/** The records of the document by name: `Schemas['ServiceOrder']`. */
export type Schemas = components['schemas']

/** Whether the portal answered last time it was asked. */
export const isReached = signal(navigator.onLine)
addEventListener('online', () => {
  isReached.value = true
})
addEventListener('offline', () => {
  isReached.value = false
})

let ahead = Number.NEGATIVE_INFINITY
/** A moment of the portal's clock, in ms since 1970 on this device's: the two may differ. To the second. */
export const onThisClock = (moment: string) => Date.parse(moment) - (Number.isFinite(ahead) ? ahead : 0)

/** The event after which a stream tells whatever may have changed since the person here was read last; empty before that. */
export let readAfter = ''

const heard = new Set<() => unknown>()
/** Calls back for each answer that says nobody is signed in. */
export const onSignedOut = (hear: () => unknown) => void heard.add(hear)

/** The version of the record that an answer shows. */
export const versionOf = (response: Response) => response.headers.get('etag') ?? undefined
/** The header that refuses a change (412) where the record is no longer of the version that the form was opened with. */
export const ifMatch = (version: string | undefined): Record<string, string> => (version ? { 'If-Match': version } : {})

/** A key under which the same call may be sent again without being done again. */
export const idempotencyKey = () => String(crypto.getRandomValues(new Uint32Array(4)))

/** A call with a key goes out twice at most, where the first try was not answered. */
async function send(address: string, init: RequestInit & { headers: Headers }) {
  const isAborted = () => init.signal?.aborted
  try {
    const answer = await fetch(address, init).catch((failure) => {
      if (!init.headers.has('idempotency-key') || isAborted()) throw failure
      return fetch(address, init)
    })
    // What was on its way may still arrive after the connection is gone.
    isReached.value = navigator.onLine
    return answer
  } catch (failure) {
    if (isAborted()) throw failure
    isReached.value = false
    throw new Unreached()
  }
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
interface Call extends Omit<RequestInit, 'body'> {
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

const call =
  (method: Method) =>
  async (path: string, { params = {}, body, ...init }: Call = {}) => {
    const headers = new Headers(init.headers)
    if (body !== undefined) headers.set('content-type', 'application/json')
    if (method === 'POST' && !path.startsWith('/auth/') && !headers.has('idempotency-key')) headers.set('idempotency-key', idempotencyKey())
    const sent = body === undefined ? null : JSON.stringify(body)
    const response = await send(addressOf(path, params), { ...init, method, headers, body: sent })
    // Cut to the second, and late by the way here: the largest difference is the truest.
    ahead = Math.max(ahead, (Date.parse(response.headers.get('date') ?? '') || 0) - Date.now())
    readAfter = response.headers.get('last-event-id') ?? readAfter
    if (response.ok) return { data: response.status === 204 ? undefined : await response.json(), response }
    const refusal = new Refusal(
      response.status,
      await response.json().catch(() => ({})),
      Number(response.headers.get('retry-after')) || undefined,
      response.headers.get('x-request-id'),
    )
    if (refusal.code === 'unauthorized' && path !== '/auth/login') for (const hear of heard) hear()
    throw refusal
  }

/** `api.POST('/orders', { body })`; a refusal is thrown as a `Refusal`, silence as `Unreached`. Only the types are openapi-fetch's. */
export const api = {
  GET: call('GET'),
  POST: call('POST'),
  PUT: call('PUT'),
  PATCH: call('PATCH'),
  DELETE: call('DELETE'),
} as Pick<Client<paths>, Method>

/** What a call answers: `const order = await answer(api.POST('/orders', { body }))`. */
export async function answer<T>(call: Promise<{ data?: T }>): Promise<T> {
  const { data } = await call
  return data as T
}

/** Shows a guess at once, and takes it back if the call is refused. `await guess(orders.change(…), api.PATCH(…))`. */
export async function guess<T>(undo: () => void, call: Promise<{ data?: T }>): Promise<T> {
  try {
    return await answer(call)
  } catch (failure) {
    undo()
    throw failure
  }
}
