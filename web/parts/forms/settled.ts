import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

const PAUSE_MS = 150

/** Debounces a typed value, so that the portal is not called for every letter. */
export function useSettled<T>(value: T): T {
  const settled = useSignal(value)
  useEffect(() => {
    const timer = setTimeout(() => {
      settled.value = value
    }, PAUSE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return settled.value
}
