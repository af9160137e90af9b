import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { at, go, path } from '../../platform/router.ts'
import { say } from '../toasts.tsx'
import { t } from './texts.ts'

/** What may be left: whether something was typed, and whether the device keeps it. */
interface Left {
  isChanged: boolean
  hasChanges: () => boolean
  isKept: boolean
}

/**
 * Keeps people from leaving a page with what was typed there. What the device keeps is no reason to stay: they are told that it is not saved,
 * and led back. Answers how they go where they were stopped and want to go all the same.
 */
export function useLeaving({ isChanged, hasChanges, isKept }: Left) {
  const leave = useSignal<(() => void) | undefined>(undefined)
  const isFree = useRef(false)
  const latest = useRef(hasChanges)
  latest.current = hasChanges
  useEffect(() => {
    const from = path.peek()
    const here = from + location.search
    return () => {
      // Where the record itself is gone, nothing leads back to it.
      if (isKept && path.peek() !== from && latest.current())
        say({ about: here, text: t.unsavedKept, act: { text: t.back, run: () => go(here) } })
    }
  }, [isKept])
  // From the start, and not only once the page is drawn with what was typed: a key may lead away in the same moment.
  useEffect(() => {
    if (isKept) return
    // An older browser has no such event, and asks only before the page itself goes.
    const navigation = (window as { navigation?: Navigation }).navigation
    const goes = (event: NavigateEvent) => {
      const to = new URL(event.destination.url)
      if (isFree.current || !latest.current() || !event.cancelable || to.origin !== location.origin || to.pathname === location.pathname)
        return
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
  // Only while there is something to lose: a page with this listener is drawn from nothing when the browser comes back to it.
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
