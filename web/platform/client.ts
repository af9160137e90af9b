/** Calls of the portal, typed from its document. */
import { signal } from '@preact/signals'
import createClient, { type Middleware } from 'openapi-fetch'
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

const heard = new Set<() => unknown>()
/** Calls back for each answer that says nobody is signed in. */
export const onSignedOut = (hear: () => unknown) => void heard.add(hear)

/** The version of the record that an answer shows. */
export const versionOf = (response: Response) => response.headers.get('etag') ?? undefined
/** The header that refuses a change (412) where the record is no longer of the version that the form was opened with. */
export const ifMatch = (version: string | undefined): Record<string, string> => (version ? { 'If-Match': version } : {})

/** A key under which the same call may be sent again without being done again. */
export const idempotencyKey = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('-')

/** A POST goes out twice at most, with one key, where the first try was not answered. */
async function send(request: Request) {
  const again = request.headers.has('idempotency-key') ? request.clone() : undefined
  try {
    const answer = await fetch(request).catch((failure) => {
      if (!again || request.signal.aborted) throw failure
      return fetch(again)
    })
    // What was on its way may still arrive after the connection is gone.
    isReached.value = navigator.onLine
    return answer
  } catch (failure) {
    if (request.signal.aborted) throw failure
    isReached.value = false
    throw new Unreached()
  }
}

const manners: Middleware = {
  onRequest({ request, schemaPath }) {
    if (request.method === 'POST' && !schemaPath.startsWith('/auth/') && !request.headers.has('idempotency-key'))
      request.headers.set('idempotency-key', idempotencyKey())
  },
  async onResponse({ response, schemaPath }) {
    // Cut to the second, and late by the way here: the largest difference is the truest.
    ahead = Math.max(ahead, (Date.parse(response.headers.get('date') ?? '') || 0) - Date.now())
    if (response.ok) return
    const body = await response.json().catch(() => ({}))
    const refusal = new Refusal(response.status, body, Number(response.headers.get('retry-after')) || undefined)
    if (refusal.code === 'unauthorized' && schemaPath !== '/auth/login') for (const hear of heard) hear()
    throw refusal
  },
}

/** `api.POST('/orders', { body })`; a refusal is thrown as a `Refusal`, silence as `Unreached`. */
export const api = createClient<paths>({ baseUrl: new URL(at('/api'), location.href).href, fetch: send, credentials: 'same-origin' })
api.use(manners)

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
