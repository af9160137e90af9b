/** The state of lists that the browser's Back restores, and whether lists are being printed. */
import { effect, signal, useSignal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import { queryValue } from '../../platform/router.ts'

/** The states by the key of a step of the history, and by name. */
const steps = new Map<string, Map<unknown, unknown>>()
function here() {
  const { key } = history.state as { key: string }
  const states = steps.get(key) ?? new Map<unknown, unknown>()
  steps.set(key, states)
  return states
}

/**
 * A signal whose value the browser's Back restores. A visit by a link begins with `initial`. `name` is unique on the page.
 */
export function useKept<T>(name: unknown, initial: T) {
  const value = useSignal((here().get(name) as T | undefined) ?? initial)
  useLayoutEffect(
    () =>
      effect(() => {
        // Subscribes to the address: the next step of the history may show the same list.
        queryValue('')
        here().set(name, value.value)
      }),
    [name],
  )
  return value
}

/** Whether the page is being printed. Lists then draw all rows that are loaded, not only those near the window. */
export const isPrinting = signal(false)
addEventListener('beforeprint', () => {
  isPrinting.value = true
})
addEventListener('afterprint', () => {
  isPrinting.value = false
})
