import { useLayoutEffect } from 'preact/hooks'
import { addShortcut, type Shortcut } from './shortcuts.ts'

/** Adds keys while a component is on the page, before it is painted: a key may follow at once. `changes` says when others replace them. */
export function useShortcuts(all: readonly Shortcut[], changes: readonly unknown[] = []) {
  useLayoutEffect(() => {
    const removals = all.map(addShortcut)
    return () => {
      for (const remove of removals) remove()
    }
  }, changes)
}
