import './pages-of.css'
import type { ComponentChildren } from 'preact'
import { usePages } from '../../../parts/lists/pages.tsx'
import { Loaded, Skeleton } from '../../../parts/show/skeleton.tsx'
import type { Resource } from '../../../platform/cache.ts'

/** A page of a list, as the portal sends it. */
export interface Page<Row> {
  items: readonly Row[]
  totalCount: number
  nextOffset: number | null
}

interface PagesOfProps<Row> {
  of: (offset: number) => Resource<Page<Row>>
  id: (row: Row) => number | string
  children: (row: Row) => ComponentChildren
  empty?: ComponentChildren
}

/** A list that loads a page at a time; a button loads more. */
export function PagesOf<Row>({ of, id, children, empty }: PagesOfProps<Row>) {
  const { first, rows, more } = usePages({ of, rows: ({ items }) => items, id, isPlain: true })
  return (
    <Loaded of={first} shape={<Skeleton shape="line" height={2} />}>
      {() => (
        <>
          {rows.length === 0 && empty && <p class="quiet">{empty}</p>}
          <ul class="pages-of">
            {rows.map((row) => (
              <li key={id(row)}>{children(row)}</li>
            ))}
          </ul>
          {more}
        </>
      )}
    </Loaded>
  )
}
