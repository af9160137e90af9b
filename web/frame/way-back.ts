import { useEffect } from 'preact/hooks'
import { ways } from './site.ts'

/** Sets the address to which the bar of a narrow page leads back, instead of the address that the page's desk has set. */
export function useWayBack(path: string, text: string) {
  useEffect(() => {
    const way = { path, text }
    ways.value = [...ways.peek(), way]
    return () => {
      ways.value = ways.peek().filter((one) => one !== way)
    }
  }, [path, text])
}
