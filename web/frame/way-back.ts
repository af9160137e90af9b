import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

interface Way {
  /** An address of the portal. */
  path: string
  text: string
}

/** The last of them is where the bar of a narrow page leads back to, in place of the portal's name. */
export const ways = signal<readonly Way[]>([])

/** Names the place that a page is in, instead of the one that what is around the page has named. */
export function useWayBack(path: string, text: string) {
  useEffect(() => {
    const way = { path, text }
    ways.value = [...ways.peek(), way]
    return () => {
      ways.value = ways.peek().filter((one) => one !== way)
    }
  }, [path, text])
}
