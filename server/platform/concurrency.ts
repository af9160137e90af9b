/** Ways to share, serialise and limit concurrent work. */

/**
 * Callers that wait at the same time share one call: at most one is in flight, and the next batch gathers meanwhile. `work`
 * returns an answer for each key of its batch, in order; when it fails, the whole batch fails with its error.
 */
export function batched<Key, Answer>(work: (keys: Key[]) => Promise<Answer[]>, most = 1000) {
  interface Waiting {
    key: Key
    resolve: (answer: Answer) => void
    reject: (error: unknown) => void
  }
  const waiting: Waiting[] = []
  let busy = false

  async function drain() {
    while (waiting.length) {
      const batch = waiting.splice(0, most)
      try {
        const answers = await work(batch.map(({ key }) => key))
        for (const [index, { resolve }] of batch.entries()) resolve(answers[index]!)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    busy = false
  }

  return (key: Key) =>
    new Promise<Answer>((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      if (!busy) {
        busy = true
        queueMicrotask(drain)
      }
    })
}

/**
 * Callers that ask for the same key at the same time share one answer, whose work began after each of them asked: at most one search
 * per key is in flight, and later callers gather for the next.
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

/** Runs at most `lanes` pieces of work at once; the others wait in line. */
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
