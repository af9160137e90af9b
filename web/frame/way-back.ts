import { useEffect } from 'preact/hooks'
import { ways } from './site.ts'

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
