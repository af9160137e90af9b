import { useLayoutEffect } from 'preact/hooks'
import { addShortcut, type Shortcut } from './shortcuts.ts'

/**
 * Adds shortcuts while a component is on the page, from before it is painted, so that a key pressed at once works. They are replaced when
 * `changes` change.
 */
export function useShortcuts(all: readonly Shortcut[], changes: readonly unknown[] = []) {
  useLayoutEffect(() => {
    const removals = all.map(addShortcut)
    return () => {
      for (const remove of removals) remove()
    }
  }, changes)
}
