/** What the reader is doing: what the portal answers meanwhile may have been read before. */
import type { Readable } from './readable.ts'

const acts = new Map<Readable, Promise<void>>()

/** Settled when the reader's acts on what an address shows are. */
export const actsOn = (path: Readable) => acts.get(path)

/** What is answered of these addresses waits for an act. That changes what is known of them, so that it is asked for again. */
export function waitFor(act: Promise<void>, ...paths: Readable[]) {
  for (const path of paths) {
    const before = acts.get(path)
    const all = act.then(() => before)
    acts.set(path, all)
  }
}
