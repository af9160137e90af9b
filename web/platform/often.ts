/** Limits how often lists that change with everybody's acts are fetched. */
import { invalidateRecord, invalidateWhere } from './cache.ts'
import type { Readable } from './readable.ts'

const EVERY_MS = 2000
/** The work done within the last two seconds, and whether it was asked for again since. */
const done = new Map<string, boolean>()

function often(key: string, work: () => void) {
  if (done.has(key)) {
    done.set(key, true)
    return
  }
  done.set(key, false)
  work()
  setTimeout(() => {
    const isWanted = done.get(key)
    done.delete(key)
    if (isWanted) often(key, work)
  }, EVERY_MS)
}

/** Like `invalidate`, but at most every two seconds. A call within that time takes effect at its end. */
export function invalidateOften(...paths: Readable[]) {
  // The receivers’ board reads again only what an event names (`receiving/details.ts`).
  for (const path of paths) often(path, () => invalidateWhere(path, ({ view }) => view !== 'incoming'))
}

/** Like `invalidateOften`, for one record at addresses with an `{id}`. */
export function invalidateRecordOften(id: number, ...paths: Readable[]) {
  for (const path of paths) often(`${path} ${id}`, () => invalidateRecord(path, id))
}
