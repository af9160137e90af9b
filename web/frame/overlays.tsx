/** What opens over the page from anywhere, each loaded when first opened: the command palette, the shortcuts, what the bell has to tell. */
import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { resource } from '../platform/cache.ts'

type Overlay = ComponentType<{ close: () => void }>
const shown = signal<Overlay | undefined>(undefined)

const show = (load: () => Promise<{ default: Overlay }>) => async () => {
  // Not there: the frame says that there is no connection, or a newer version.
  const Shown = (await load().catch(() => undefined))?.default
  shown.value = shown.peek() === Shown ? undefined : Shown
}
// The room of the notifications says what is in it.
const bells = import.meta.glob<{ default: Overlay }>('../*/bell.tsx')
const showPalette = show(() => import('./palette-dialog.tsx'))
export const openBell = show(Object.values(bells)[0]!)
export const openShortcuts = show(() => import('./shortcuts-dialog.tsx'))

let early = ''
function keepEarly(event: KeyboardEvent) {
  const isLetter = event.key.length === 1
  if (event.ctrlKey || event.metaKey || event.altKey || (!isLetter && event.key !== 'Enter')) return
  event.preventDefault()
  event.stopPropagation()
  if (isLetter) early += event.key
}
/** What was typed after the palette was asked for and before it was there. */
export const typedEarly = () => early

export async function openPalette() {
  early = ''
  addEventListener('keydown', keepEarly, true)
  await showPalette()
  removeEventListener('keydown', keepEarly, true)
}

const close = () => {
  shown.value = undefined
}

const PREPARE_MS = 3000
/** What opens over the page opens at once, and what a person will look for is there when the connection has gone. */
function prepare() {
  for (const load of [() => import('./palette-dialog.tsx'), Object.values(bells)[0]!, () => import('./shortcuts-dialog.tsx')])
    load().catch(() => {})
  const lists = [resource('/services'), resource('/service-categories'), resource('/orders/my'), resource('/notes', { query: ownNotes })]
  for (const list of lists) if (list.peek() === undefined) list.refresh()
}
/** The first part of the person's notes, as their page asks for it. */
const ownNotes = { tab: 'active' as const, limit: 40, offset: 0 }

export function Dialogs() {
  useEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.code !== 'KeyK' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      event.preventDefault()
      openPalette()
    }
    addEventListener('keydown', pressed)
    const idle = setTimeout(prepare, PREPARE_MS)
    const ringing = import('../platform/ringing.ts').then(({ startRinging }) => startRinging()).catch(() => undefined)
    return () => {
      removeEventListener('keydown', pressed)
      clearTimeout(idle)
      ringing.then((stop) => stop?.())
    }
  }, [])
  const Shown = shown.value
  return Shown ? <Shown close={close} /> : null
}
