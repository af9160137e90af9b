/** Limits how often lists that change with everybody's acts are fetched. */
import { invalidateWhere } from './cache.ts'
import type { Readable } from './readable.ts'

const EVERY_MS = 2000
const askedAt = new Map<Readable, number>()
const waiting = new Set<Readable>()

/** Like `invalidate`, but at most every two seconds. A call within that time takes effect at its end. */
export function invalidateOften(...paths: Readable[]) {
  for (const path of paths) {
    if (waiting.has(path)) continue
    waiting.add(path)
    const wait = (askedAt.get(path) ?? 0) + EVERY_MS - Date.now()
    setTimeout(
      () => {
        waiting.delete(path)
        askedAt.set(path, Date.now())
        // The receivers’ board reads again only what an event names (`receiving/details.ts`).
        invalidateWhere(path, ({ view }) => view !== 'incoming')
      },
      Math.max(0, wait),
    )
  }
}
