/** The reader's acts under way: answers that arrive meanwhile may show the state before them. */
import type { Readable } from './readable.ts'

const acts = new Map<Readable, Promise<void>>()

/** Settles with the reader's acts on the data of an address. */
export const actsOn = (path: Readable) => acts.get(path)

/** Holds answers from these addresses back until an act has settled. The act marks them as changed, so that they are fetched again. */
export function waitFor(act: Promise<void>, ...paths: Readable[]) {
  for (const path of paths) {
    const before = acts.get(path)
    const all = act.then(() => before)
    acts.set(path, all)
  }
}
