/** Replies kept in memory beside the version of what they show, so that one asked for again is not written again. */
import type { Reads } from './db.ts'

/** What a statement answers that was told the version that is kept: the text only where the version has moved. */
export interface Versioned {
  version: string
  text: string | null
}

interface Kept {
  version: string
  bytes: Buffer
}

const MOST_BYTES = 16 * 1024 * 1024

/** Those of one database, the longest unused first. */
class Shelf {
  #kept = new Map<string, Kept>()
  #bytes = 0

  find(key: string) {
    const known = this.#kept.get(key)
    if (known) {
      this.#kept.delete(key)
      this.#kept.set(key, known)
    }
    return known
  }

  put(key: string, kept: Kept) {
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

const shelves = new WeakMap<Reads, Shelf>()

/**
 * The reply under `key`, never an old one: `read` asks the database each time, tells it the version that is kept, and answers the
 * version as it is, with the text when that is another. Undefined where `read` finds nothing.
 */
export async function kept(db: Reads, key: string, read: (known: string | null) => Promise<Versioned | undefined>) {
  const shelf = shelves.get(db) ?? new Shelf()
  shelves.set(db, shelf)
  const known = shelf.find(key)
  const answer = await read(known?.version ?? null)
  if (!answer) return undefined
  if (answer.text === null) return known!.bytes
  const bytes = Buffer.from(answer.text)
  shelf.put(key, { version: answer.version, bytes })
  return bytes
}
