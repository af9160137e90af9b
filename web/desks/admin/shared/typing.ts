import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** The pause in typing before the search begins. */
const PAUSE_MS = 150
/** The longest text that the portal accepts for a search. */
const LONGEST = 200

/** The state of a search field. Calls `search` when typing pauses. */
export function useTyping(from: string, search: (text: string) => void) {
  const typed = useSignal(from)
  useEffect(() => {
    const text = typed.value.trim().slice(0, LONGEST)
    if (text === from) return
    const timer = setTimeout(() => search(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed.value])
  return {
    value: typed.value,
    change(text: string) {
      typed.value = text
    },
  }
}
