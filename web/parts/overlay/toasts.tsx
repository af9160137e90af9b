import { signal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { CountdownRing } from '../show/countdown-ring.tsx'
import { Icon } from '../show/icon.tsx'
import { t } from '../texts.ts'

interface Toast {
  text: string
  kind?: 'error'
  /** The subject of the toast, such as `order 5`. A new toast replaces an earlier one about the same subject. */
  about?: string
  /** Undoes the action. Called by the button, or by Ctrl Z for the newest toast that has one. */
  undo?: () => void
  /** When undo ends, in ms since 1970; by default 15 s after the toast appears. */
  undoUntil?: number
  /** Another action, such as opening the record that the toast is about. */
  act?: { text: string; run: () => void }
}

const UNDO_MS = 15_000
const SHOWN_MS = 6000
/** The most toasts shown. Older ones that can be undone are hidden until newer ones have gone. */
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

/** Shows a toast, with an undo button if it has one. Returns a function that removes it. */
export function say(toast: Toast) {
  const id = ++last
  const until = toast.undo ? (toast.undoUntil ?? Date.now() + UNDO_MS) : Date.now() + SHOWN_MS
  const others = toasts.value.filter(({ about }) => !about || about !== toast.about)
  const kept = others.filter(({ undo }, place) => undo || place > others.length - MOST)
  toasts.value = [...kept, { ...toast, id, until }]
  const expire = () => {
    // A toast without undo stays while the pointer or the focus is on any toast.
    if (document.querySelector('.toasts:is(:hover, :focus-within)') && !toast.undo) setTimeout(expire, 1000)
    else drop(id)
  }
  setTimeout(expire, until - Date.now())
  return () => drop(id)
}

/** The places for toasts, the topmost last. Only the topmost shows them, because content below a modal dialog is inert. */
const regions = signal<readonly symbol[]>([])

/** A place for toasts: one in the frame, and one in each dialog over it. */
export function Toasts() {
  const region = useRef(Symbol('region')).current
  useLayoutEffect(() => {
    regions.value = [...regions.value, region]
    return () => {
      regions.value = regions.value.filter((one) => one !== region)
    }
  }, [])
  const isUppermost = regions.value.at(-1) === region
  useLayoutEffect(() => {
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
    <section class="toasts" aria-label={isUppermost ? t.messages : undefined} aria-live="polite" aria-relevant="additions">
      {(isUppermost ? toasts.value.slice(-MOST) : []).map(({ id, text, kind, undo, until, act }) => (
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
