/** Keys that work anywhere, by their place on the keyboard: an Arabic one has no K. */
export interface Shortcut {
  /** `event.code`s pressed one after the other, such as `['KeyG', 'KeyO']`; `Question` is the slash with Shift. */
  codes: string[]
  text: () => string
  run: () => void
}

const shortcuts: Shortcut[] = []

/** Adds keys. Returns a function that removes them. */
export function addShortcut(shortcut: Shortcut) {
  shortcuts.push(shortcut)
  return () => void shortcuts.splice(shortcuts.indexOf(shortcut), 1)
}
export const allShortcuts = (): readonly Shortcut[] => shortcuts

/** A letter as the keycap shows it on a Latin keyboard. */
export const keycap = (code: string) =>
  code
    .replace(/^(Key|Digit)/, '')
    .replace('Slash', '/')
    .replace('Question', '?')

const WITHIN_MS = 1200
let pressed: string[] = []
let at = 0

/** Listens for keys, except where someone types or a dialog is open. */
export function listenForShortcuts() {
  const onKey = (event: KeyboardEvent) => {
    const target = event.target as Element
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      event.repeat ||
      event.defaultPrevented ||
      target.closest('input, textarea, select, [contenteditable], dialog')
    )
      return
    const now = Date.now()
    const code = event.code === 'Slash' && event.shiftKey ? 'Question' : event.code
    pressed = now - at > WITHIN_MS ? [code] : [...pressed, code].slice(-2)
    at = now
    const found = shortcuts.find(({ codes }) => codes.join() === pressed.slice(-codes.length).join())
    if (!found) return
    pressed = []
    event.preventDefault()
    found.run()
  }
  addEventListener('keydown', onKey)
  return () => removeEventListener('keydown', onKey)
}
