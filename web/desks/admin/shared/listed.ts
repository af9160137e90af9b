import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Listed } from '../../../parts/lists/set-editor/props.ts'
import type { Resource } from '../../../platform/cache.ts'
import type { Page } from './pages-of.tsx'

/** Rows per request. */
export const PAGE = 100
/** The most pages that stay loaded. All other pages load again when they come into view. */
const MOST = 5

/** A paged list, loaded as it comes into view. `key` identifies its filters. */
export function useListed<Row>(key: string, of: (offset: number) => Resource<Page<Row>>): Listed<Row> {
  const pages = useSignal<readonly number[]>([0])
  useEffect(() => {
    pages.value = [0]
  }, [key])
  const at = (page: number) => (pages.value.includes(page) ? of(page * PAGE).data : undefined)
  const known = pages.value.map(at).find((page) => page !== undefined)
  return {
    total: known?.totalCount,
    rows: (index) => at(Math.floor(index / PAGE))?.items[index % PAGE],
    ask(from, to) {
      const wanted: number[] = []
      for (let page = Math.floor(from / PAGE); page <= Math.floor(to / PAGE) && wanted.length < MOST; page++) wanted.push(page)
      const missing = wanted.filter((page) => !pages.peek().includes(page))
      if (missing.length > 0) pages.value = [...pages.peek(), ...missing].slice(-MOST)
    },
  }
}
