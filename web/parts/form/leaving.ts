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
    const here = path.peek() + location.search
    return () => {
      if (isKept && latest.current()) say({ about: here, text: t.unsavedKept, act: { text: t.back, run: () => go(here) } })
    }
  }, [isKept])
  useEffect(() => {
    if (!isChanged || isKept) return
    const closes = (event: BeforeUnloadEvent) => {
      if (!isFree.current && latest.current()) event.preventDefault()
    }
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
    // An older browser has no such event, and asks only before the page itself goes.
    const navigation = (window as { navigation?: Navigation }).navigation
    addEventListener('beforeunload', closes)
    navigation?.addEventListener('navigate', goes)
    return () => {
      removeEventListener('beforeunload', closes)
      navigation?.removeEventListener('navigate', goes)
    }
  }, [isChanged, isKept])
  return leave
}
