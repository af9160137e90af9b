import { allShortcuts, type Shortcut } from './shortcuts.ts'

const WITHIN_MS = 1200
let pressed: string[] = []
let at = 0

const isOurs = ({ ctrlKey, metaKey, altKey, repeat, defaultPrevented, target }: KeyboardEvent) =>
  !(ctrlKey || metaKey || altKey || repeat || defaultPrevented) &&
  !(target as Element).closest('input, textarea, select, [contenteditable], dialog')

/** Runs the shortcut of the keys just pressed, if there is one and `isWanted` accepts it. */
function run(event: KeyboardEvent, isWanted: (shortcut: Shortcut) => boolean) {
  const found = allShortcuts().find((one) => isWanted(one) && one.codes.join() === pressed.slice(-one.codes.length).join())
  if (!found) return
  pressed = []
  event.preventDefault()
  event.stopPropagation()
  found.run()
}

/**
 * Listens for shortcuts, except while somebody types or a dialog is open. The second key of a sequence completes the sequence only, even if
 * it has a meaning of its own on the page or in the focused row.
 */
export function listenForShortcuts() {
  const ofTwo = (event: KeyboardEvent) => {
    if (!isOurs(event)) return
    const now = Date.now()
    const code = event.code === 'Slash' && event.shiftKey ? 'Question' : event.code
    pressed = now - at > WITHIN_MS ? [code] : [...pressed, code].slice(-2)
    at = now
    run(event, ({ codes }) => codes.length > 1)
  }
  const ofOne = (event: KeyboardEvent) => isOurs(event) && run(event, ({ codes }) => codes.length === 1)
  addEventListener('keydown', ofTwo, true)
  addEventListener('keydown', ofOne)
  return () => {
    removeEventListener('keydown', ofTwo, true)
    removeEventListener('keydown', ofOne)
  }
}
