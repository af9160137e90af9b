/**
 * One cache of what the portal said, by the addresses of its document. Components read a resource's signals; it is asked for while
 * someone reads it. Events keep it true (`events-to-cache.ts`), and the device keeps it until sign-out.
 */
import { type Signal, signal } from '@preact/signals'
import { dehydrate, hydrate, QueryClient, QueryObserver, type QueryObserverResult } from '@tanstack/query-core'
import type { paths } from './client.ts'
import { answer, api } from './client.ts'
import { kept } from './device.ts'
import { Refusal } from './refusal.ts'

type Readable = {
  [P in keyof paths]: paths[P] extends { get: { responses: { 200: { content: { 'application/json': unknown } } } } } ? P : never
}[keyof paths]
type Reply<P extends Readable> = paths[P] extends { get: { responses: { 200: { content: { 'application/json': infer R } } } } } ? R : never
type Parameters<P extends Readable> = paths[P] extends { get: { parameters: infer A } }
  ? (A extends { path: infer V } ? { path: V } : { path?: undefined }) &
      (A extends { query?: infer Q } ? { query?: Q } : { query?: undefined })
  : never

/** What the cache has of an address. `data` stays while it is asked anew, and when asking fails. */
export interface Resource<T> {
  /** Reading it in a component subscribes the component. */
  readonly data: T | undefined
  readonly error: Refusal | Error | null
  readonly isFetching: boolean
  /** When `data` was true, in ms since 1970; 0 while there is none. */
  readonly updatedAt: number
  /** What is known now, without subscribing. */
  peek(): T | undefined
  /** Asks again, whether or not it is fresh. */
  refresh(): Promise<unknown>
  /** Waits until it is known: from the cache where it is there. */
  load(): Promise<T>
  /** Changes what is known, without asking. Returns what brings the former back. */
  change(by: (now: T) => T): () => void
}

const DAY = 86_400_000

/** Also for what the resources do not cover; its keys are `[path, params]`. */
export const cache = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 60_000,
      gcTime: 7 * DAY,
      networkMode: 'always',
      retry: (count, error) => count < 2 && !(error instanceof Refusal && error.status < 500),
    },
  },
})

const resources = new Map<string, Resource<unknown>>()

/** `resource('/orders/my')`, `resource('/orders/{id}', { path: { id } })`. The same address is the same resource. */
export function resource<P extends Readable>(path: P, parameters?: Parameters<P>): Resource<Reply<P>> {
  const queryKey = parameters === undefined ? [path] : [path, parameters]
  const name = JSON.stringify(queryKey)
  let known = resources.get(name) as Resource<Reply<P>> | undefined
  if (!known) {
    const get = api.GET as (path: string, init: unknown) => Promise<{ data?: Reply<P> }>
    known = observe<Reply<P>>(queryKey, (abort) => answer(get(path, { params: parameters ?? {}, signal: abort })))
    resources.set(name, known as Resource<unknown>)
  }
  return known
}

function observe<T>(queryKey: unknown[], fetch: (signal: AbortSignal) => Promise<T>): Resource<T> {
  const options = { queryKey, queryFn: ({ signal }: { signal: AbortSignal }) => fetch(signal) }
  const observer = new QueryObserver<T>(cache, options)
  let leave: (() => void) | undefined
  const result: Signal<QueryObserverResult<T>> = signal(observer.getCurrentResult(), {
    watched() {
      leave = observer.subscribe((next) => {
        result.value = next
      })
      // Not now: a component is being drawn.
      queueMicrotask(() => {
        result.value = observer.getCurrentResult()
      })
    },
    unwatched() {
      leave?.()
    },
  })
  const peek = () => cache.getQueryData<T>(queryKey)
  return {
    get data() {
      return result.value.data ?? peek()
    },
    get error() {
      return result.value.error
    },
    get isFetching() {
      return result.value.isFetching
    },
    get updatedAt() {
      return result.value.dataUpdatedAt
    },
    peek,
    refresh: () => cache.fetchQuery({ ...options, staleTime: 0 }).catch(() => {}),
    load: () => cache.ensureQueryData(options) as Promise<T>,
    change(by) {
      const former = peek()
      if (former === undefined) return () => {}
      cache.cancelQueries({ queryKey })
      cache.setQueryData(queryKey, by(former))
      return () => void cache.setQueryData(queryKey, former)
    },
  }
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

/** Everything of these addresses is asked anew when next read, and at once where it is on the page. */
export const invalidate = (...some: Readable[]) =>
  Promise.all(some.map((path) => cache.invalidateQueries({ queryKey: [path] }, { cancelRefetch: true })))

/** What is known of every variant of an address: each page, each filter. */
export function changeAll<P extends Readable>(path: P, by: (now: Reply<P>) => Reply<P>) {
  for (const [key, data] of cache.getQueriesData<Reply<P>>({ queryKey: [path] })) if (data !== undefined) cache.setQueryData(key, by(data))
}

const KEY = 'cache'
let writing: ReturnType<typeof setTimeout> | undefined

/** Brings back what this device kept, to be shown until the portal has answered; nothing of it counts as fresh. */
export async function restoreCache() {
  const state = await kept.read<object>(KEY)
  if (state) hydrate(cache, state)
  cache.getQueryCache().subscribe(({ type }) => {
    if (type !== 'updated' && type !== 'removed') return
    writing ??= setTimeout(() => {
      writing = undefined
      const state = dehydrate(cache, { shouldDehydrateQuery: ({ state }) => state.status === 'success' })
      kept.write(KEY, state)
    }, 1000)
  })
}

/** Forgets what the portal said, on the device as well; `withDrafts`, also what was typed and not yet sent. */
export async function clearCache({ withDrafts }: { withDrafts: boolean }) {
  clearTimeout(writing)
  writing = undefined
  cache.clear()
  await (withDrafts ? kept.clear() : kept.remove(KEY))
}
