import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Listed } from '../../parts/set-editor/set-editor.tsx'
import type { Resource } from '../../platform/cache.ts'
import type { Page } from './pages-of.tsx'

/** So many rows are asked for at once. */
export const PAGE = 100
/** So many pages are drawn from at once; those beyond are asked for again when they come into sight. */
const MOST = 5

/** A list that the portal answers by the page, asked for as it comes into sight. `key` names what it is narrowed by. */
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
