import type { ComponentChildren } from 'preact'
import { listedOf, SetEditor } from '../../parts/set-editor/set-editor.tsx'
import type { Staged } from '../../parts/set-editor/staged.ts'
import { matches } from '../../platform/folded.ts'

interface KnownProps<Item extends { id: number }> {
  label: string
  addLabel: string
  /** Everything that may be in it. */
  all: readonly Item[]
  /** The ids of what is in it as it is saved. */
  ids: readonly number[]
  name: (item: Item) => string
  /** The texts by which an item is found. */
  textsOf: (item: Item) => (string | null)[]
  staged: Staged<Item>
  change: (staged: Staged<Item>) => void
  fixed?: (item: Item) => ComponentChildren
  children: (item: Item) => ComponentChildren
}

/** The editor of a set of few, such as roles or apps, of which the page knows all. */
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
