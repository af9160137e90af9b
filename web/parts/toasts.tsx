import { signal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { CountdownRing } from './countdown-ring.tsx'
import { Icon } from './icon.tsx'
import { t } from './texts.ts'

interface Toast {
  text: string
  kind?: 'error'
  /** What it is about, such as `order 5`: it takes the place of what was said of that before. */
  about?: string
  /** Taken back by the button or Ctrl Z while the ring runs. */
  undo?: () => void
  /** When undoing ends, in ms since 1970; 15 s from now unless the portal said. */
  undoUntil?: number
  /** Something to do besides, such as opening what arrived. */
  act?: { text: string; run: () => void }
}

const UNDO_MS = 15_000
const SHOWN_MS = 6000
const MOST = 3

const toasts = signal<(Toast & { id: number; until: number })[]>([])
const drop = (id: number) => {
  toasts.value = toasts.value.filter((one) => one.id !== id)
}
function dropAfter(id: number, act: () => void) {
  drop(id)
  act()
}
let last = 0

/** Says something in passing, with a way to take it back where there is one. Returns what takes it off the page. */
export function say(toast: Toast) {
  const id = ++last
  const until = toast.undo ? (toast.undoUntil ?? Date.now() + UNDO_MS) : Date.now() + SHOWN_MS
  const others = toasts.value.filter(({ about }) => !about || about !== toast.about)
  toasts.value = [...others.slice(1 - MOST), { ...toast, id, until }]
  const expire = () => {
    // Not while someone is reading it.
    if (document.querySelector('.toasts:is(:hover, :focus-within)') && !toast.undo) setTimeout(expire, 1000)
    else drop(id)
  }
  setTimeout(expire, until - Date.now())
  return () => drop(id)
}

/** Where toasts may appear, those over others last. What lies under a modal dialog can be neither reached nor heard. */
const regions = signal<readonly symbol[]>([])

/** Where toasts appear: one in the frame, and one in each dialog over it. */
export function Toasts() {
  const region = useRef(Symbol('region')).current
  useLayoutEffect(() => {
    regions.value = [...regions.value, region]
    return () => {
      regions.value = regions.value.filter((one) => one !== region)
    }
  }, [])
  const isUppermost = regions.value.at(-1) === region
  useEffect(() => {
    if (!isUppermost) return
    const pressed = (event: KeyboardEvent) => {
      const undoable = toasts.value.findLast((one) => one.undo)
      const isTyping = (event.target as Element).matches('input:not([type=checkbox], [type=radio]), textarea, [contenteditable]')
      if (event.code !== 'KeyZ' || !(event.ctrlKey || event.metaKey) || event.shiftKey || !undoable || isTyping) return
      event.preventDefault()
      undoable.undo?.()
      drop(undoable.id)
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  }, [isUppermost])
  return (
    <section class="toasts" aria-label={isUppermost ? t.notices : undefined} aria-live="polite" aria-relevant="additions">
      {(isUppermost ? toasts.value : []).map(({ id, text, kind, undo, until, act }) => (
        <div key={id} class="toast" data-kind={kind}>
          <span>{text}</span>
          {act && (
            <button type="button" class="button" onClick={() => dropAfter(id, act.run)}>
              {act.text}
            </button>
          )}
          {undo && (
            <button type="button" class="button" aria-keyshortcuts="Control+Z" onClick={() => dropAfter(id, undo)}>
              <CountdownRing until={until} />
              {t.undo}
            </button>
          )}
          <button type="button" class="button toast-close" data-shape="round" aria-label={t.close} onClick={() => drop(id)}>
            <Icon name="x" size={18} />
          </button>
        </div>
      ))}
    </section>
  )
}
