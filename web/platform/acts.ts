/** The reader's acts under way: an answer that arrives before an act has settled may show the state before it. */
import type { Readable } from './readable.ts'

interface Act {
  path: Readable
  /** The id of the record or the day that the act changes, if it changes only one. */
  about: unknown
  settled: Promise<unknown>
}
const acts = new Set<Act>()

/** Resolves once the reader's acts on the data of an address have settled, even if they fail. */
export function actsOn(path: Readable, { path: values, query }: { path?: unknown; query?: unknown } = {}) {
  const read = (values as { id?: number } | undefined)?.id ?? (query as { date?: string } | undefined)?.date
  // The list of a day may contain the record that an act names by its id, so an id and a day always match.
  const same = [...acts].filter(({ path: one, about }) => one === path && (typeof about !== typeof read || about === read))
  return Promise.allSettled(same.map(({ settled }) => settled))
}

/**
 * Holds back answers from `paths` until an act has settled. The act itself must invalidate the addresses, so that they are fetched again.
 * `about` is the id or the day that the act changes: answers about a different id or day do not wait.
 */
export function waitFor(settled: Promise<unknown>, about: number | string | undefined, ...paths: Readable[]) {
  for (const path of paths) {
    const act = { path, about, settled }
    const end = () => acts.delete(act)
    acts.add(act)
    settled.then(end, end)
  }
}
