/** A list that loads a page at a time, when the person asks for more. */
import type { Resource } from '../../platform/cache.ts'
import { Button } from '../show/button.tsx'
import { Loaded } from '../show/skeleton.tsx'
import { t } from '../texts.ts'
import { useKept } from './state.ts'

interface PagesProps<Page, Row> {
  of: (offset: number) => Resource<Page>
  rows: (page: Page) => readonly Row[]
  id: (row: Row) => number | string
  /** The text of the button. */
  text?: string
  /** Whether the button is a minor action, such as one inside a card. */
  isPlain?: boolean
}

/**
 * Returns `first`, the first page, which tells the caller whether the list has loaded; `rows`, the rows of all loaded pages; and `more`, to
 * render after them: a button that loads the next page, or the failure of the last request.
 */
export function usePages<Page extends { nextOffset: number | null }, Row>(props: PagesProps<Page, Row>) {
  const { of, rows, id, text = t.more, isPlain } = props
  const offsets = useKept<readonly number[]>(of(0), [0])
  const pages = offsets.value.map((offset) => of(offset))
  const last = pages.at(-1)!
  const all = pages.flatMap(({ data }) => (data ? rows(data) : []))
  const next = last.data?.nextOffset
  const hasFailed = last.data === undefined && last.error !== undefined
  return {
    first: pages[0]!,
    // A new row at the start moves the last row of each page to the next page, so that a row may be loaded twice.
    rows: [...new Map(all.map((row) => [id(row), row])).values()],
    more: hasFailed ? (
      <Loaded of={last}>{() => null}</Loaded>
    ) : (
      next !== null && (
        // The button stays while the next page loads, so that it keeps the focus.
        <Button
          {...(isPlain && { kind: 'plain' as const })}
          isBusy={next === undefined}
          onClick={() => {
            offsets.value = [...offsets.value, next!]
          }}
        >
          {text}
        </Button>
      )
    ),
  }
}
