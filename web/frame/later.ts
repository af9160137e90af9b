/**
 * Loaded after the first page: sounds, keys, overlays, and the data for searching offline.
 */
import { effect } from '@preact/signals'
import { startComposing } from '../parts/composing.ts'
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
/** Sends what the device has kept, by the name of its draft. A page may have closed before it was sent. */
const outboxes = { verdicts: Object.values(import.meta.glob('../reviews/outbox.ts'))[0]! }
/** The first part of the person's notes, as their page asks for it. */
const ownNotes = { tab: 'active' as const, limit: 40, offset: 0 }

/** The letter that leads to a section after G. */
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

/** Returns a function that stops it. `overlays` open over a page. */
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
    for (const [name, send] of Object.entries(outboxes))
      hasDraft(name).then(
        (isKept) => isKept && send(),
        () => {},
      )
  }, AFTER_MS)
  return () => {
    clearTimeout(timer)
    for (const stop of stops) stop()
  }
}
