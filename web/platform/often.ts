/** Lists that change with every act of others: a busy portal is asked for each of them every two seconds at most. */
import { invalidate } from './cache.ts'
import type { Readable } from './readable.ts'

const EVERY_MS = 2000
const askedAt = new Map<Readable, number>()
const waiting = new Set<Readable>()

/** `invalidate`, at once if that was two seconds ago or longer, and otherwise as soon as it was. */
export function invalidateOften(...paths: Readable[]) {
  for (const path of paths) {
    if (waiting.has(path)) continue
    waiting.add(path)
    const wait = (askedAt.get(path) ?? 0) + EVERY_MS - Date.now()
    setTimeout(
      () => {
        waiting.delete(path)
        askedAt.set(path, Date.now())
        invalidate(path)
      },
      Math.max(0, wait),
    )
  }
}
