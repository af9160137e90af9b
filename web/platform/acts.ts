/** The reader's acts under way: answers that arrive meanwhile may show the state before them. */
import type { Readable } from './readable.ts'

interface Act {
  path: Readable
  /** The id or the day that it is about, if it is about one. */
  about: unknown
  settled: Promise<unknown>
}
const acts = new Set<Act>()

/** Settles with the reader's acts on the data of an address, even if they fail. */
export function actsOn(path: Readable, { path: values, query }: { path?: unknown; query?: unknown } = {}) {
  const read = (values as { id?: number } | undefined)?.id ?? (query as { date?: string } | undefined)?.date
  // A list of a day may hold a record that an act names by its id.
  const same = [...acts].filter(({ path: one, about }) => one === path && (typeof about !== typeof read || about === read))
  return Promise.allSettled(same.map(({ settled }) => settled))
}

/**
 * Holds answers from these addresses back until an act has settled. The act marks them as changed, so that they are fetched again. `about`
 * is the id or the day of the address that the act changes; answers about others do not wait.
 */
export function waitFor(settled: Promise<unknown>, about: number | string | undefined, ...paths: Readable[]) {
  for (const path of paths) {
    const act = { path, about, settled }
    const end = () => acts.delete(act)
    acts.add(act)
    settled.then(end, end)
  }
}
