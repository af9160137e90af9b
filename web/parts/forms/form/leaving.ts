import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { at, go, path } from '../../../platform/router.ts'
import { say } from '../../overlay/toasts.tsx'
import { t } from './texts.ts'

/** The state of the form: whether it has changes, and whether the device stores them. */
interface Left {
  isChanged: boolean
  hasChanges: () => boolean
  isKept: boolean
}

/**
 * Guards a page with unsaved changes. If the device stores a draft, people may leave, and a toast says that the changes are kept and leads
 * back. Otherwise the navigation is stopped. Returns a signal that holds a function while a navigation is stopped: the function leaves
 * anyway.
 */
export function useLeaving({ isChanged, hasChanges, isKept }: Left) {
  const leave = useSignal<(() => void) | undefined>(undefined)
  const isFree = useRef(false)
  const latest = useRef(hasChanges)
  latest.current = hasChanges
  useEffect(() => {
    const address = () => path.peek() + location.search
    const here = address()
    return () => {
      // If the address is unchanged, the record was deleted, and a toast must not lead back to it.
      if (isKept && address() !== here && latest.current())
        say({ about: here, text: t.unsavedKept, act: { text: t.back, run: () => go(here) } })
    }
  }, [isKept])
  // Listens from the start, not only once typed text is rendered: a key may navigate in the same moment.
  useEffect(() => {
    if (isKept) return
    // Older browsers lack the Navigation API. They ask only before the page unloads.
    const navigation = (window as { navigation?: Navigation }).navigation
    const goes = (event: NavigateEvent) => {
      const to = new URL(event.destination.url)
      const isElsewhere = to.origin === location.origin && to.pathname !== location.pathname
      if (isFree.current || !latest.current() || !event.cancelable || event.defaultPrevented || !isElsewhere) return
      event.preventDefault()
      leave.value = () => {
        isFree.current = true
        if (event.navigationType === 'traverse') navigation?.traverseTo(event.destination.key)
        else go(`/${to.pathname.slice(at('/').length)}${to.search}`)
      }
    }
    navigation?.addEventListener('navigate', goes)
    return () => navigation?.removeEventListener('navigate', goes)
  }, [isKept])
  // Listens only while there is something to lose, because this listener keeps a page out of the back/forward cache.
  useEffect(() => {
    if (!isChanged || isKept) return
    const closes = (event: BeforeUnloadEvent) => {
      if (!isFree.current && latest.current()) event.preventDefault()
    }
    addEventListener('beforeunload', closes)
    return () => removeEventListener('beforeunload', closes)
  }, [isChanged, isKept])
  return leave
}
