import { useEffect } from 'preact/hooks'

/** While `isLost` says that leaving would lose something, stops the browser's Back and Forward, and calls `ask` instead. */
export const useStaying = (isLost: () => boolean, ask: () => void) =>
  useEffect(() => {
    // Older browsers lack the Navigation API.
    const { navigation } = window as { navigation?: Navigation }
    const goes = (event: NavigateEvent) => {
      // `userInitiated` is false for the page's own `back`, with which a dialog closes.
      const { navigationType, userInitiated, cancelable, defaultPrevented } = event
      if (navigationType !== 'traverse' || !userInitiated || !cancelable || defaultPrevented || !isLost()) return
      event.preventDefault()
      ask()
    }
    navigation?.addEventListener('navigate', goes)
    return () => navigation?.removeEventListener('navigate', goes)
  })
