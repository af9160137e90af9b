import { useEffect } from 'preact/hooks'

/** For each `useStaying`: asks if leaving would lose something, and returns whether it would. */
const guards = new Set<() => boolean>()
/** Whether leaving would lose nothing. Otherwise the person is asked. */
export const mayLeave = () => ![...guards].some((asks) => asks())

/**
 * While `isLost` says that leaving would lose something, stops the browser's Back and Forward, and calls `ask` instead; before the document
 * is closed or loaded again, the browser asks. With `isPage`, stops every way to another page: the links beside a dialog cannot be pressed,
 * and a dialog may go to another page once its work is done.
 */
export const useStaying = (isLost: () => boolean, ask: () => void, isPage = false) =>
  useEffect(() => {
    // Older browsers lack the Navigation API.
    const { navigation } = window as { navigation?: Navigation }
    const asks = () => {
      const is = isLost()
      if (is) ask()
      return is
    }
    const goes = (event: NavigateEvent) => {
      // `userInitiated` is false for the page's own `back`, with which a dialog closes.
      const { navigationType, userInitiated, cancelable, defaultPrevented, destination } = event
      const isElsewhere = () => destination.sameDocument && new URL(destination.url).pathname !== location.pathname
      const isMeant = navigationType === 'traverse' ? userInitiated : isPage && isElsewhere()
      if (isMeant && cancelable && !defaultPrevented && asks()) event.preventDefault()
    }
    const closes = (event: BeforeUnloadEvent) => {
      // A press on a link to another program, such as a calendar, closes nothing.
      const { protocol = 'http:' } = (document.activeElement ?? {}) as Partial<HTMLAnchorElement>
      if (protocol.startsWith('http') && isLost()) event.preventDefault()
    }
    guards.add(asks)
    navigation?.addEventListener('navigate', goes)
    addEventListener('beforeunload', closes)
    return () => {
      guards.delete(asks)
      navigation?.removeEventListener('navigate', goes)
      removeEventListener('beforeunload', closes)
    }
  })
