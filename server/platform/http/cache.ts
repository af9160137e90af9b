/** Replies kept in memory beside the version of what they show, so that one asked for again is not written again. */
import { singleFlight } from '../concurrency.ts'
import type { Reads } from '../database/db.ts'

/** A version of what is asked for, and the text of a reply that shows it. */
export interface Written {
  version: string
  text: string
}

interface Cached {
  version: string
  bytes: Buffer
}

const MOST_BYTES = 16 * 1024 * 1024

/** Those of one database, the longest unused first. */
class Cache {
  /** Callers at the same moment share one look. */
  share = singleFlight<string, Buffer | undefined>()
  #kept = new Map<string, Cached>()
  #bytes = 0

  find(key: string) {
    const known = this.#kept.get(key)
    if (known) {
      this.#kept.delete(key)
      this.#kept.set(key, known)
    }
    return known
  }

  put(key: string, kept: Cached) {
    this.#drop(key)
    this.#kept.set(key, kept)
    this.#bytes += kept.bytes.length
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= MOST_BYTES) break
      this.#drop(oldest)
    }
  }

  #drop(key: string) {
    this.#bytes -= this.#kept.get(key)?.bytes.length ?? 0
    this.#kept.delete(key)
  }
}

const caches = new WeakMap<Reads, Cache>()
function cacheOf(db: Reads) {
  const shelf = caches.get(db) ?? new Cache()
  caches.set(db, shelf)
  return shelf
}

/**
 * The reply under `key`, never an old one: each time `look` asks the database which version holds now, and `write` is asked for the
 * reply and its version, of one moment, unless that is the one that is kept. Undefined where they find nothing.
 */
export async function cached(
  db: Reads,
  key: string,
  look: () => Promise<string | undefined>,
  write: () => Promise<Written | undefined>,
): Promise<Buffer | undefined> {
  const shelf = cacheOf(db)
  const known = shelf.find(key)
  if (known && (await look()) === known.version) return known.bytes
  const answer = await write()
  if (!answer) return undefined
  const bytes = Buffer.from(answer.text)
  shelf.put(key, { version: answer.version, bytes })
  return bytes
}

/** Like `kept`, for a reply that is the same whoever asks: those who ask at the same moment share one look. */
export const cachedForAll: typeof cached = (db, key, look, write) => cacheOf(db).share(key, () => cached(db, key, look, write))
