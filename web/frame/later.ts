/** What is not needed for the first page, and made ready once it is there: sounds, what opens over a page, and what is looked for offline. */
import { resource } from '../platform/cache.ts'
import { startRinging } from '../platform/ringing.ts'

const AFTER_MS = 3000
/** The first part of the person's notes, as their page asks for it. */
const ownNotes = { tab: 'active' as const, limit: 40, offset: 0 }

/** Returns what ends it. `overlays` are what opens over a page. */
export function begin(overlays: (() => Promise<unknown>)[]) {
  const stop = startRinging()
  const timer = setTimeout(() => {
    for (const load of overlays) load().catch(() => {})
    const lists = [resource('/services'), resource('/service-categories'), resource('/orders/my'), resource('/notes', { query: ownNotes })]
    for (const list of lists) if (list.peek() === undefined) list.refresh()
  }, AFTER_MS)
  return () => {
    clearTimeout(timer)
    stop()
  }
}
