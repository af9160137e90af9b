import { type ComponentChildren, Fragment } from 'preact'
import { usePages } from '../../parts/lists/pages.tsx'
import { Loaded } from '../../parts/show/skeleton.tsx'
import type { Resource } from '../../platform/cache.ts'

interface Page<Row> {
  items: Row[]
  totalCount: number
  nextOffset: number | null
}

interface PagesProps<Row> {
  of: (offset: number) => Resource<Page<Row>>
  id: (row: Row) => number
  label: string
  class: string
  /** The kinds of rows, with their headings. If all rows are of the first kind, no heading is shown. */
  sections?: { title: string; of: (row: Row) => boolean }[]
  /** Shown instead of an empty list. */
  none: ComponentChildren
  children: (row: Row) => ComponentChildren
}

/** A list that the portal sends in pages, with a button that loads the next one. */
export function Pages<Row>({ of, id, label, class: name, sections = [], none, children }: PagesProps<Row>) {
  const { first, rows, more } = usePages({ of, rows: ({ items }: Page<Row>) => items, id })
  const parts = sections.map((section) => ({ ...section, rows: rows.filter(section.of) })).filter((part) => part.rows.length > 0)
  const list = (some: readonly Row[], title: string) => (
    <ul class={name} aria-label={title}>
      {some.map((row) => (
        <Fragment key={id(row)}>{children(row)}</Fragment>
      ))}
    </ul>
  )
  return (
    <Loaded of={first}>
      {({ totalCount }) =>
        totalCount === 0 ? (
          none
        ) : (
          <>
            {parts.some(({ title }) => title !== sections[0]!.title)
              ? parts.map((part) => (
                  <section key={part.title}>
                    <h2>{part.title}</h2>
                    {list(part.rows, part.title)}
                  </section>
                ))
              : list(rows, label)}
            {more}
          </>
        )
      }
    </Loaded>
  )
}
