/** Ways to share, serialise and limit concurrent work. */

/**
 * Shares answers among callers that ask for the same key. One search per key runs at a time. Calls during a search share the next one, so
 * that no caller gets the answer of a search that began before its call.
 */
export function singleFlight<Key, Answer>() {
  const searching = new Map<Key, Promise<Answer>>()
  const gathering = new Map<Key, Promise<Answer>>()

  function search(key: Key, work: () => Promise<Answer>) {
    const answer = work().finally(() => searching.delete(key))
    searching.set(key, answer)
    return answer
  }
  async function searchAfter(before: Promise<Answer>, key: Key, work: () => Promise<Answer>) {
    await before.catch(() => {})
    gathering.delete(key)
    return search(key, work)
  }

  return (key: Key, work: () => Promise<Answer>): Promise<Answer> => {
    const next = gathering.get(key)
    if (next) return next
    const before = searching.get(key)
    if (!before) return search(key, work)
    const after = searchAfter(before, key, work)
    gathering.set(key, after)
    return after
  }
}

/** Runs work with the same key one piece at a time, in the order of arrival. */
export function mutex<Key>() {
  const last = new Map<Key, Promise<unknown>>()
  return async <T>(key: Key, work: () => Promise<T>): Promise<T> => {
    const result = (last.get(key) ?? Promise.resolve()).then(work)
    const ended = result.catch(() => {})
    last.set(key, ended)
    try {
      return await result
    } finally {
      if (last.get(key) === ended) last.delete(key)
    }
  }
}

interface Shares {
  /** The maximum number of pieces of work at once. */
  lanes: number
  /** The maximum number of pieces of work at once with the same key. */
  perKey: number
}
/** Releases the turn; idempotent. */
export type Leave = () => void

/**
 * Admits at most `lanes` pieces of work at once, and `perKey` of them with one key. Waiting keys are served in rotation, however long their
 * queues are, so that no key waits behind the work of another key. A caller that still waits when the signal aborts fails with the signal's
 * reason.
 */
export function fairSemaphore<Key>({ lanes, perKey }: Shares) {
  interface Line {
    running: number
    waiting: Set<() => void>
  }
  let free = lanes
  const lines = new Map<Key, Line>()
  /** Keys below their own limit that wait for a free lane, in rotation. */
  const ready = new Set<Key>()

  function serve() {
    for (const key of ready) {
      if (free === 0) return
      const line = lines.get(key)!
      const [begin] = line.waiting
      line.waiting.delete(begin!)
      line.running++
      free--
      sort(key, line)
      begin!()
    }
  }
  /** Moves the key to the end of the rotation, or removes it. */
  function sort(key: Key, line: Line) {
    ready.delete(key)
    if (line.waiting.size > 0 && line.running < perKey) ready.add(key)
    if (line.waiting.size === 0 && line.running === 0) lines.delete(key)
  }
  function leaving(key: Key, line: Line): Leave {
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      line.running--
      free++
      sort(key, line)
      serve()
    }
  }

  async function wait(line: Line, key: Key, begun: Promise<void>, begin: () => void, fail: (reason: unknown) => void, signal: AbortSignal) {
    const giveUp = () => {
      if (!line.waiting.delete(begin)) return
      if (line.waiting.size === 0) sort(key, line)
      fail(signal.reason)
    }
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
    await begun.finally(() => signal.removeEventListener('abort', giveUp))
  }

  return async (key: Key, patience?: () => AbortSignal): Promise<Leave> => {
    const line = lines.get(key) ?? { running: 0, waiting: new Set() }
    lines.set(key, line)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    line.waiting.add(resolve)
    if (line.running < perKey) ready.add(key)
    serve()
    if (patience && line.waiting.has(resolve)) await wait(line, key, promise, resolve, reject, patience())
    else await promise
    return leaving(key, line)
  }
}

/** Runs at most `lanes` pieces of work at once; the rest wait in line. */
export function semaphore(lanes: number) {
  let free = lanes
  const waiting: (() => void)[] = []
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (free > 0) free--
    else await new Promise<void>((go) => waiting.push(go))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}
