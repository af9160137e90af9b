import { useSignal } from '@preact/signals'
import type { Resource } from '../../../platform/cache.ts'
import { Refusal } from '../../../platform/refusal.ts'

type Counts<K extends string> = Readonly<Record<K, number>>

/** The refusals of a deletion that tell how much would be lost, and that `force` overrides. */
const telling: Refusal['code'][] = ['has_dependents', 'last_sign_in_method']

/**
 * Deletes a record and no more dependents than were shown. It first tries without force, because there may be more by now. If so, or if the
 * record has changed, `show` gets the present counts, which are unknown in the second case, and the refusal is thrown.
 */
export async function removeShown<K extends string>(
  shown: Counts<K>,
  remove: (force: boolean) => Promise<unknown>,
  show: (now: Counts<K> | undefined) => unknown,
) {
  try {
    await remove(false)
  } catch (failure) {
    if (!(failure instanceof Refusal)) throw failure
    const { code, body } = failure
    const names = Object.keys(shown) as K[]
    const now = telling.includes(code) ? (Object.fromEntries(names.map((name) => [name, Number(body[name])])) as Counts<K>) : undefined
    if (now && names.every((name) => now[name] <= shown[name])) return remove(true)
    if (now || code === 'changed_meanwhile') await show(now)
    throw failure
  }
}

/**
 * The deletion of a record with its dependents, which the administrator confirms by their counts. `nothing` has the counts of a record
 * without dependents. `send` deletes, unless the record has another version. `countsOf` reads the counts from the record, if it has them.
 */
export function useDeletion<R, K extends string>(
  record: Resource<R>,
  nothing: Counts<K>,
  send: (force: boolean, version: string | undefined) => Promise<unknown>,
  countsOf?: (record: R) => Counts<K>,
) {
  const asked = useSignal<{ counts: Counts<K>; version: string | undefined } | undefined>(undefined)
  /** Asks about these counts or, if they are unknown, about those of the record. */
  function ask(known?: Counts<K>) {
    const now = record.peek()
    const counts = known ?? (countsOf && now !== undefined ? countsOf(now) : (asked.peek()?.counts ?? nothing))
    asked.value = { counts, version: record.version }
  }
  /** Reads the record again and asks about it, unless the administrator has closed the question. */
  async function askAgain(known?: Counts<K>) {
    await record.refresh()
    if (asked.peek()) ask(known)
  }
  return {
    /** The counts to confirm; undefined while nothing is asked. */
    counts: asked.value?.counts,
    /** The version of the record when its counts were shown. */
    version: asked.value?.version,
    ask,
    askAgain,
    close() {
      asked.value = undefined
    },
    /** Deletes the record, or asks about its dependents first and returns false. Throws if there is more to confirm than was shown. */
    async remove() {
      const before = asked.peek()
      try {
        await removeShown(before?.counts ?? nothing, (force) => send(force, before?.version), before ? askAgain : ask)
        return true
      } catch (failure) {
        if (before || !asked.peek()) throw failure
        return false
      }
    },
  }
}
