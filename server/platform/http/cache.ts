/** Replies cached as bytes with the version of the data they show, so that an unchanged reply is not serialised again. */
import { LRUCache } from 'lru-cache'
import { singleFlight } from '../concurrency.ts'
import type { Reads } from '../database/db.ts'
import { perRun } from '../database/runs.ts'
import { ownBytes } from './wire.ts'

/** The text of a reply, and the version of the data it shows. */
export interface Written {
  version: string
  text: string
}

interface Cached {
  version: string
  bytes: Buffer
}

const MOST_BYTES = 16 * 1024 * 1024
/** The bytes of memory that an entry takes besides its texts. */
const ENTRY_BYTES = 500

const cacheOf = perRun(() => ({
  replies: new LRUCache<string, Cached>({
    maxSize: MOST_BYTES,
    // Keys count, because the caller chooses them. A UTF-16 unit takes at most two bytes.
    sizeCalculation: ({ version, bytes }, key) => bytes.length + 2 * (key.length + version.length) + ENTRY_BYTES,
  }),
  share: singleFlight<string, Buffer | undefined>(),
}))

/**
 * The reply cached under `key`, never a stale one. If there is one, `look` asks the database for the current version. Unless the cached
 * reply has that version, `write` reads the reply and its version in one snapshot. Undefined if there is nothing to show. Simultaneous
 * callers with the same key share a lookup, so the key must contain everything that the reply depends on, including its reader.
 */
export function cached(
  db: Reads,
  key: string,
  look: () => Promise<string | undefined>,
  write: () => Promise<Written | undefined>,
): Promise<Buffer | undefined> {
  const { replies, share } = cacheOf(db)
  return share(key, async () => {
    const known = replies.get(key)
    if (known && (await look()) === known.version) return known.bytes
    const answer = await write()
    if (!answer) return undefined
    const bytes = ownBytes(answer.text)
    replies.set(key, { version: answer.version, bytes })
    return bytes
  })
}
