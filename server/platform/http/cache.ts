/** Replies kept in memory beside the version of what they show, so that one asked for again is not written again. */
import { LRUCache } from 'lru-cache'
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
/** What an entry takes besides its texts. */
const ENTRY_BYTES = 500

const openCache = () => ({
  replies: new LRUCache<string, Cached>({
    maxSize: MOST_BYTES,
    // Keys count: whoever asks chooses them. A sign of a text takes two bytes at most.
    sizeCalculation: ({ version, bytes }, key) => bytes.length + 2 * (key.length + version.length) + ENTRY_BYTES,
  }),
  /** Callers at the same moment share one look. */
  share: singleFlight<string, Buffer | undefined>(),
})

const caches = new WeakMap<Reads, ReturnType<typeof openCache>>()
function cacheOf(db: Reads) {
  const cache = caches.get(db) ?? openCache()
  caches.set(db, cache)
  return cache
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
  const { replies } = cacheOf(db)
  const known = replies.get(key)
  if (known && (await look()) === known.version) return known.bytes
  const answer = await write()
  if (!answer) return undefined
  const bytes = Buffer.from(answer.text)
  replies.set(key, { version: answer.version, bytes })
  return bytes
}

/** Like `cached`, for a reply that is the same whoever asks: those who ask at the same moment share one look. */
export const cachedForAll: typeof cached = (db, key, look, write) => cacheOf(db).share(key, () => cached(db, key, look, write))
