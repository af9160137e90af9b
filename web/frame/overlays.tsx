/** Overlays that open from anywhere, each loaded when first opened: the command palette, the shortcuts, the notifications. */
import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect, useLayoutEffect } from 'preact/hooks'
import { say } from '../parts/overlay/toasts.tsx'
import { onForbidden } from '../platform/client.ts'
import { Question } from './question.ts'
import { t } from './texts.ts'

// Asks the person to confirm themselves, or leads them to set up a second factor.
onForbidden(
  async (refusal) =>
    refusal.code.endsWith('_required') && import('./forbidden.ts').then(({ remedy }) => remedy(refusal)).catch(() => false),
)

interface OverlayProps {
  close: () => void
  /** Text typed while the palette was loading. */
  early: string
  openShortcuts: () => void
}
type Overlay = ComponentType<OverlayProps>
const shown = signal<Overlay | undefined>(undefined)

const show = (load: () => Promise<{ default: Overlay }>) => async () => {
  const Shown = (await load().catch(() => undefined))?.default
  if (!Shown) return void say({ text: t.noConnection, kind: 'error' })
  shown.value = shown.peek() === Shown ? undefined : Shown
}
// The room of notifications provides the content of the bell.
const bells = import.meta.glob<{ default: Overlay }>('../people/*/bell.tsx')
const bell = Object.values(bells)[0]!
const palette = () => import('./palette-dialog.tsx')
const shortcuts = () => import('./shortcuts-dialog.tsx')
const showPalette = show(palette)
export const openBell = show(bell)
export const openShortcuts = show(shortcuts)

let early = ''
function keepEarly(event: KeyboardEvent) {
  const isLetter = event.key.length === 1
  if (event.ctrlKey || event.metaKey || event.altKey || (!isLetter && event.key !== 'Enter')) return
  event.preventDefault()
  event.stopPropagation()
  if (isLetter) early += event.key
}

/** For this long, typed keys are kept for the loading palette. After that the page gets them again. */
const EARLY_MS = 2000
export async function openPalette() {
  early = ''
  addEventListener('keydown', keepEarly, true)
  const stop = () => removeEventListener('keydown', keepEarly, true)
  setTimeout(stop, EARLY_MS)
  await showPalette()
  stop()
}

const close = () => {
  shown.value = undefined
}

export function Dialogs() {
  // A layout effect runs before painting, in time for a key that follows at once.
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent) => {
      if (event.code !== 'KeyK' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      event.preventDefault()
      openPalette()
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [])
  useEffect(() => {
    const begun = import('./later.ts').then(({ begin }) => begin([palette, bell, shortcuts], openShortcuts)).catch(() => undefined)
    return () => void begun.then((stop) => stop?.())
  }, [])
  const Shown = shown.value
  return (
    <>
      {Shown && <Shown close={close} early={early} openShortcuts={openShortcuts} />}
      {Question.value && <Question.value />}
    </>
  )
}
