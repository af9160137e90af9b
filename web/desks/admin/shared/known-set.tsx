import type { ComponentChildren } from 'preact'
import { listedOf } from '../../../parts/lists/set-editor/props.ts'
import { SetEditor } from '../../../parts/lists/set-editor/set-editor.tsx'
import type { Staged } from '../../../parts/lists/set-editor/staged.ts'
import { matches } from '../../../platform/folded.ts'

interface KnownProps<Item extends { id: number }> {
  label: string
  addLabel: string
  /** All possible items. */
  all: readonly Item[]
  /** The ids of the saved set. */
  ids: readonly number[]
  name: (item: Item) => string
  /** The texts of an item that a search looks at. */
  textsOf: (item: Item) => (string | null)[]
  staged: Staged<Item>
  change: (staged: Staged<Item>) => void
  fixed?: (item: Item) => ComponentChildren
  children: (item: Item) => ComponentChildren
}

/** Edits a set of items, such as roles or apps, that the page has loaded whole. */
export function KnownSet<Item extends { id: number }>({ all, ids, textsOf, ...rest }: KnownProps<Item>) {
  const inside = new Set(ids)
  const isIn = ({ id }: Item) => inside.has(id)
  return (
    <SetEditor<Item>
      {...rest}
      eager
      id={({ id }) => id}
      search={(typed) => all.filter((item) => !isIn(item) && matches(typed, ...textsOf(item)))}
      list={(typed) => listedOf(all.filter(isIn), typed, textsOf)}
      count={inside.size}
      isIn={isIn}
    />
  )
}
