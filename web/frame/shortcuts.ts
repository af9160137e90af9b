/** Keyboard shortcuts, by the physical position of their keys, because an Arabic keyboard has no K. */
export interface Shortcut {
  /** `event.code`s pressed one after the other, such as `['KeyG', 'KeyO']`; `Question` is the slash with Shift. */
  codes: string[]
  text: () => string
  run: () => void
}

const shortcuts: Shortcut[] = []

/** Adds a shortcut. Returns a function that removes it. */
export function addShortcut(shortcut: Shortcut) {
  shortcuts.push(shortcut)
  return () => void shortcuts.splice(shortcuts.indexOf(shortcut), 1)
}
export const allShortcuts = (): readonly Shortcut[] => shortcuts

/** The label of a key on a Latin keyboard. */
export const keycap = (code: string) =>
  code
    .replace(/^(Key|Digit)/, '')
    .replace('Slash', '/')
    .replace('Question', '?')
