import './pages-of.css'
import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { Button } from '../../parts/button.tsx'
import { Loaded, Skeleton } from '../../parts/skeleton.tsx'
import type { Resource } from '../../platform/cache.ts'
import { t } from './texts.ts'

/** A page of a list, as the portal answers it. */
export interface Page<Row> {
  items: readonly Row[]
  totalCount: number
  nextOffset: number | null
}

interface PagesProps<Row> {
  of: (offset: number) => Resource<Page<Row>>
  id: (row: Row) => number | string
  children: (row: Row) => ComponentChildren
  /** Shown if the list is empty. */
  empty?: ComponentChildren
}

/** A list that loads a page at a time; a button loads more. */
export function PagesOf<Row>({ of, id, children, empty }: PagesProps<Row>) {
  const offsets = useSignal<readonly number[]>([0])
  return (
    <>
      {offsets.value.map((offset, index) => (
        <Loaded key={offset} of={of(offset)} shape={<Skeleton shape="line" height={2} />}>
          {({ items, nextOffset }) => (
            <>
              {index === 0 && items.length === 0 && empty && <p class="quiet">{empty}</p>}
              <ul class="pages-of">
                {items.map((row) => (
                  <li key={id(row)}>{children(row)}</li>
                ))}
              </ul>
              {nextOffset !== null && index === offsets.value.length - 1 && (
                <Button
                  kind="plain"
                  onClick={() => {
                    offsets.value = [...offsets.value, nextOffset]
                  }}
                >
                  {t.more}
                </Button>
              )}
            </>
          )}
        </Loaded>
      ))}
    </>
  )
}
