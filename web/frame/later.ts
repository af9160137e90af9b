/**
 * Loaded after the first page: sounds, keys, overlays, and the data for searching offline.
 */
import { effect } from '@preact/signals'
import { startComposing } from '../parts/forms/composing.ts'
import { resource } from '../platform/cache.ts'
import { hasDraft } from '../platform/drafts.ts'
import { startRinging } from '../platform/ringing.ts'
import { go } from '../platform/router.ts'
import { isAdmin } from '../platform/session.ts'
import { keepFocus } from './keep-focus.ts'
import { listenForShortcuts } from './listen-for-shortcuts.ts'
import { mySections, type PageName } from './places.ts'
import { addShortcut } from './shortcuts.ts'
import { t as words } from './shortcuts-texts.ts'
import { t } from './texts.ts'
import { followTranslation } from './translated.ts'

const AFTER_MS = 3000
/** Modules that send stored drafts, by the name of the draft. A page may have closed before it sent its draft. */
const outboxes = { verdicts: Object.values(import.meta.glob('../desks/reviews/outbox.ts'))[0]! }
/** The query of the notes page for the first part of the person's notes. */
const ownNotes = { tab: 'active' as const, limit: 40, offset: 0 }

/** The keys that lead to a section when pressed after G. */
const letters: Partial<Record<PageName, string>> = { home: 'KeyH', orders: 'KeyO', notes: 'KeyN', meetings: 'KeyM', admin: 'KeyA' }

/** Keys that open the sections that the person may open. */
function startSectionKeys() {
  let added: (() => void)[] = []
  const end = () => {
    for (const remove of added.splice(0)) remove()
  }
  const lead = (code: string, path: string, text: () => string) => addShortcut({ codes: ['KeyG', code], text, run: () => go(path) })
  const stop = effect(() => {
    end()
    added = mySections().flatMap(({ name, path }) => (letters[name] ? lead(letters[name], path, () => t.pages[name]) : []))
    if (isAdmin.value) added.push(lead('KeyU', '/admin/users', () => words.users))
  })
  return () => {
    stop()
    end()
  }
}

/** Starts everything that can wait. `overlays` loads the parts that open over a page. Returns a function that stops it. */
export function begin(overlays: (() => Promise<unknown>)[], openShortcuts: () => void) {
  const stops = [
    startRinging(),
    startComposing(),
    listenForShortcuts(),
    keepFocus(),
    followTranslation(),
    addShortcut({ codes: ['Question'], text: () => t.shortcuts, run: openShortcuts }),
    startSectionKeys(),
  ]
  const timer = setTimeout(() => {
    for (const load of overlays) load().catch(() => {})
    const lists = [resource('/services'), resource('/service-categories'), resource('/orders/my'), resource('/notes', { query: ownNotes })]
    for (const list of lists) list.load().catch(() => {})
    // Without a connection the module may not load; the next page tries again.
    for (const [name, send] of Object.entries(outboxes))
      hasDraft(name)
        .then((isKept) => isKept && send())
        .catch(() => {})
  }, AFTER_MS)
  return () => {
    clearTimeout(timer)
    for (const stop of stops) stop()
  }
}
