import type { ComponentChildren, VNode } from 'preact'
import { useTitle } from '../../../frame/site.ts'
import { useShortcuts } from '../../../frame/use-shortcuts.ts'
import { SearchField } from '../../../parts/lists/search-field.tsx'
import { Table, type TableColumn, tableKeys } from '../../../parts/lists/table/table.tsx'
import { Hint } from '../../../parts/overlay/hint.tsx'
import { Button } from '../../../parts/show/button.tsx'
import { Empty } from '../../../parts/show/empty.tsx'
import type { Lesson } from '../../../platform/hints.ts'
import type { List } from '../../../platform/list.ts'
import { Head } from './head.tsx'
import { useTyping } from './typing.ts'

interface ListPageProps<Row> {
  title: string
  /** What the records are for, told until the person dismisses it. */
  purpose: string
  lesson: Lesson
  list: List<Row>
  columns: TableColumn<Row>[]
  name: (row: Row) => string
  /** The title of the error if the list cannot be loaded. */
  failed: string
  /** The button that makes a record. */
  create: { text: string; run: () => void }
  search?: { label: string; typed: string; find: (typed: string | undefined) => void }
  /** Beside the search field. */
  filters?: ComponentChildren
  /** Shown if a search or a filter finds no record; absent without one. */
  nothing?: string | false | undefined
  /** Shown if there is no record yet. */
  empty: VNode
  /** The order of the rows, by name unless the person chose another. */
  sorting?: { by: string | undefined; choose: (by: string | undefined) => void }
  /** Whether a list among the children has what was searched for, so that the table need not say that it is empty. */
  isFoundBelow?: boolean
  /** Below the table: further lists, and the dialog that makes a record. */
  children?: ComponentChildren
}

function Search({ label, typed, find }: { label: string; typed: string; find: (typed: string | undefined) => void }) {
  return <SearchField label={label} {...useTyping(typed, (text) => find(text || undefined))} />
}

/** The page of a list of records: its purpose, a button that makes a record, a search, and the table. */
export function ListPage<Row extends { id: number }>(props: ListPageProps<Row>) {
  const { title, purpose, lesson, list, create, search, filters, nothing, sorting, isFoundBelow = false } = props
  useTitle(title)
  useShortcuts(tableKeys)
  return (
    <>
      <Head
        title={title}
        aside={
          <Button kind="main" icon="plus" onClick={create.run}>
            {create.text}
          </Button>
        }
      />
      <Hint of={lesson}>{purpose}</Hint>
      {(search || filters) && (
        <div class="list-head">
          {search && <Search {...search} />}
          {filters}
        </div>
      )}
      {!(isFoundBelow && list.total === 0) && (
        <Table<Row>
          label={title}
          list={list}
          columns={props.columns}
          id={({ id }) => id}
          name={props.name}
          failed={props.failed}
          {...(sorting && { sorting: sorting.by ?? 'name', sort: (by) => sorting.choose(by === 'name' ? undefined : by) })}
        >
          {nothing ? <Empty icon="search" title={nothing} /> : props.empty}
        </Table>
      )}
      {props.children}
    </>
  )
}
