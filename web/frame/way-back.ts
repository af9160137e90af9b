import { useEffect } from 'preact/hooks'
import { ways } from './site.ts'

/** Names the place of a page, in place of the one that its desk has named. */
export function useWayBack(path: string, text: string) {
  useEffect(() => {
    const way = { path, text }
    ways.value = [...ways.peek(), way]
    return () => {
      ways.value = ways.peek().filter((one) => one !== way)
    }
  }, [path, text])
}
