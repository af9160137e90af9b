/**
 * The cache of the portal's answers, by the addresses of the portal's OpenAPI document. A resource is fetched while a component reads its
 * signals. Events keep it up to date (`events-to-cache.ts`), and the device stores it until sign-out.
 */
import { batch, signal } from '@preact/signals'
import { actsOn } from './acts.ts'
import { api, isReached, versionOf } from './client.ts'
import { beginCopy, type Copy, dropCopy, type Keepable, keepSoon } from './copy.ts'
import type { Parameters, Readable, Reply, Resource } from './readable.ts'
import { Refusal } from './refusal.ts'

export type { Resource } from './readable.ts'

interface Entry extends Resource<unknown>, Keepable {
  path: Readable
  /** The values in the address, such as `{ id: 7 }`. */
  values: Record<string, unknown>
  set(data: unknown, updatedAt?: number, from?: Response): void
  /** Shows the device's copy until the portal has answered. Its version makes the portal refuse changes of a record that is newer. */
  recall(data: unknown, updatedAt: number, version?: string): void
  isWatched(): boolean
  hasFailed(): boolean
  /** Marks the data as stale: they are fetched at once if they are on the page, otherwise when next read. */
  expire(): void
  /** Drops the data, as if they had never been read. */
  forget(): void
}

const FRESH_MS = 60_000
const AGAIN_MS = [1000, 3000]
/** How often a page asks whether the portal answers again. */
const ASK_AGAIN_MS = 10_000
const GATHER_MS = 50
/** How long `load` waits for newer data if it has older data. */
const PATIENCE_MS = 300
/**
 * Each filter and each page of a list is an entry of its own. At most this many such entries keep their data while no component reads them.
 */
const MOST = 300

/**
 * Entries are never deleted: modules keep their resources as long as the page is open, and a change at an address must reach every resource
 * of that address.
 */
const entries = new Map<string, Entry>()

/** `resource('/orders/my')`, `resource('/orders/{id}', { path: { id } })`. Equal arguments return the same resource. */
export function resource<P extends Readable>(path: P, parameters?: Parameters<P>): Resource<Reply<P>> {
  return entryOf(path, parameters) as Resource<unknown> as Resource<Reply<P>>
}

function entryOf(path: Readable, parameters?: { path?: unknown; query?: unknown }) {
  const name = JSON.stringify(parameters ? [path, parameters] : [path])
  let known = entries.get(name)
  if (!known) {
    const idle = [...entries.values()].filter(isIdle)
    if (idle.length > MOST) idle[0]!.forget()
    known = openEntry(name, path, parameters)
    entries.set(name, known)
  }
  return known
}

const isIdle = ({ parameters, peek, isWatched }: Entry) => (parameters.path || parameters.query) && peek() !== undefined && !isWatched()

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

function openEntry(name: string, path: Readable, parameters: { path?: unknown; query?: unknown } = {}): Entry {
  const get = api.GET as (path: string, init: unknown) => Promise<{ data?: unknown; response: Response }>
  let watchers = 0
  let isStale = false
  let expired = 0
  let asking: Promise<void> | undefined
  // Counts changes: the answer to a call that began before a change must not undo it.
  let turn = 0
  let version: string | undefined
  let total: number | undefined
  const watched = () => {
    watchers++
    // Fetches later, because a component is being rendered now.
    queueMicrotask(refreshIfStale)
  }
  const unwatched = () => {
    watchers--
  }
  const data = signal<unknown>(undefined, { watched, unwatched })
  const error = signal<Error | undefined>(undefined, { watched, unwatched })
  const isFetching = signal(false)
  const updatedAt = signal(0)

  const isFresh = () => !isStale && !error.peek() && Date.now() - updatedAt.peek() <= FRESH_MS
  const refreshIfStale = () => void (watchers && !isFresh() && fetchNow())
  let isSoon = false
  // Waits a little, so that an act and its event cause only one fetch.
  const refreshSoon = () => {
    if (isSoon) return
    isSoon = true
    setTimeout(() => {
      isSoon = false
      refreshIfStale()
    }, GATHER_MS)
  }
  async function ask(): Promise<void> {
    for (const wait of [...AGAIN_MS, undefined]) {
      const asked = turn
      try {
        const before = expired
        const { data: said, response } = await get(path, { params: parameters })
        await actsOn(path, parameters)
        if (asked !== turn) return watchers ? pause(GATHER_MS).then(ask) : undefined
        entry.set(said, Date.now(), response)
        isStale = before !== expired
        return
      } catch (failure) {
        const isFinal = failure instanceof Refusal && failure.status < 500
        if (asked !== turn && data.peek() === undefined) return
        if (!isFinal && wait && isReached.peek()) await pause(wait)
        else {
          error.value = failure as Error
          return
        }
      }
    }
  }
  function fetchNow(): Promise<void> {
    isFetching.value = true
    asking ??= ask().finally(() => {
      asking = undefined
      isFetching.value = false
    })
    return asking
  }

  const entry: Entry = {
    name,
    path,
    parameters,
    values: { ...(parameters.path as object) },
    isWatched: () => watchers > 0,
    hasFailed: () => error.peek() !== undefined,
    get data() {
      return data.value
    },
    get error() {
      return error.value
    },
    get isFetching() {
      return isFetching.value
    },
    get updatedAt() {
      return updatedAt.value
    },
    get version() {
      return version
    },
    get total() {
      return total
    },
    peek: () => data.peek(),
    refresh: () => (asking ? asking.then(fetchNow) : fetchNow()),
    async load() {
      if (data.peek() === undefined) await fetchNow()
      else if (!isFresh()) await Promise.race([asking ? entry.refresh() : fetchNow(), pause(PATIENCE_MS)])
      if (data.peek() === undefined) throw error.peek() ?? new Error('forgotten')
      return data.peek()
    },
    change(by) {
      const former = data.peek()
      if (former === undefined) {
        // An answer on its way may show the state before the change.
        if (asking) entry.expire()
        return () => {}
      }
      turn++
      const formerly = version
      data.value = by(former)
      const changed = data.peek()
      if (changed !== former) version = undefined
      keepSoon(entry)
      return () => {
        turn++
        if (data.peek() !== changed) return entry.expire()
        data.value = former
        version = formerly
        keepSoon(entry)
      }
    },
    set(said, at = Date.now(), from) {
      version = from && versionOf(from)
      const counted = from?.headers.get('x-total-count')
      total = counted ? Number(counted) : undefined
      batch(() => {
        data.value = said
        error.value = undefined
        updatedAt.value = at
        isStale = false
      })
      keepSoon(entry)
    },
    recall(kept, at, keptVersion) {
      entry.set(kept, at)
      version = keptVersion
      isStale = true
      if (!asking) refreshSoon()
    },
    expire() {
      isStale = true
      expired++
      if (asking) asking.then(refreshSoon)
      else refreshSoon()
    },
    forget() {
      turn++
      version = undefined
      keepSoon(entry)
      batch(() => {
        data.value = undefined
        error.value = undefined
        updatedAt.value = 0
      })
    },
  }
  return entry
}

const expireEach = (some: Iterable<Entry>) => {
  for (const entry of some) entry.expire()
}
const entriesOf = (paths: readonly Readable[]) => [...entries.values()].filter(({ path }) => paths.includes(path))

/** Marks the data of these addresses, or of all if none is named, to be fetched again: at once if on the page, otherwise when next read. */
export const invalidate = (...paths: Readable[]) => expireEach(paths.length ? entriesOf(paths) : entries.values())
/** As `invalidate`, for every address that begins with `start`. */
export const invalidateBelow = (start: string) => expireEach([...entries.values()].filter(({ path }) => path.startsWith(start)))

/** As `invalidate`, for one record of an address with an `{id}`. */
export const invalidateRecord = (path: Readable, id: number) => expireEach(entriesOf([path]).filter(({ values }) => values['id'] === id))

/** As `invalidate`, for the variants of an address whose query fits. */
export const invalidateWhere = (path: Readable, fits: (query: Record<string, unknown>) => boolean) =>
  expireEach(entriesOf([path]).filter(({ parameters }) => fits({ ...(parameters.query as object) })))

/** The loaded data of every variant of an address, such as each filter and page. Does not subscribe. */
export const known = <P extends Readable>(path: P) =>
  entriesOf([path]).flatMap((entry) => (entry.peek() === undefined ? [] : [entry.peek() as Reply<P>]))

/** Changes the data of every variant of an address, such as each filter and page. `by` gets the variant's parameters. */
export function changeAll<P extends Readable>(path: P, by: (now: Reply<P>, parameters: Parameters<P>) => Reply<P>) {
  for (const entry of entriesOf([path]))
    (entry as Resource<unknown> as Resource<Reply<P>>).change((now) => by(now, entry.parameters as Parameters<P>))
}

/** Puts data of a call or an event into the cache. Pass the answer of a call as `from`, so that the data have a version. */
export function setCached<P extends Readable>(path: P, data: Reply<P>, parameters?: Parameters<P>, from?: Response) {
  entryOf(path, parameters).set(data, undefined, from)
}

for (const event of ['focus', 'online'] as const)
  addEventListener(event, () => {
    // Addresses that are being fetched are left out: a page that opens may get the focus while its first data are on the way.
    for (const entry of entries.values()) if (!entry.isFetching && Date.now() - entry.updatedAt > FRESH_MS) entry.expire()
  })

/** If a call is lost while the event stream goes on, only another call can show that the portal answers again. */
const askAgain = () => [...entries.values()].find((entry) => entry.isWatched())?.refresh()
let askingAgain: ReturnType<typeof setInterval> | undefined
// Failed reads are repeated once the portal answers.
isReached.subscribe((reached) => {
  clearInterval(askingAgain)
  if (reached) expireEach([...entries.values()].filter((entry) => entry.hasFailed()))
  else askingAgain = setInterval(askAgain, ASK_AGAIN_MS)
})

/** Stores this person's data on the device from now on. */
export function keepFor(personId: number) {
  beginCopy(personId)
  for (const entry of entries.values()) if (entry.peek() !== undefined) keepSoon(entry)
}

/** Restores a copy. Its data count as stale, so they are fetched again. */
export function restore({ all }: Copy) {
  for (const [name, ...copied] of all) {
    const [path, parameters] = JSON.parse(name)
    const entry = entryOf(path, parameters)
    if (entry.peek() === undefined) entry.recall(...copied)
  }
}

/** Empties the cache, on the device as well. */
export async function clearCache() {
  const dropped = dropCopy()
  for (const entry of entries.values()) entry.forget()
  await dropped
}
