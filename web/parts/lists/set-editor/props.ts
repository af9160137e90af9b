import type { ComponentChildren } from 'preact'
import { matches } from '../../../platform/folded.ts'
import type { Resolved, Staged } from './staged.ts'

/** The saved set, loaded in parts as they become visible. */
export interface Listed<Item> {
  /** The size of the set; undefined while it is unknown. */
  total: number | undefined
  rows: (index: number) => Item | undefined
  ask: (from: number, to: number) => void
}

/** A set that is loaded whole and filtered on the device. */
export function listedOf<Item>(items: readonly Item[], typed: string, textsOf: (item: Item) => (string | null)[]): Listed<Item> {
  const shown = items.filter((item) => matches(typed, ...textsOf(item)))
  return { total: shown.length, rows: (index) => shown[index], ask: () => {} }
}

export interface SetEditorProps<Item> {
  label: string
  /** The label of the field, such as "Add people: a name, or paste a list of emails". */
  addLabel: string
  addHint?: string
  id: (item: Item) => number
  /** The name of an item, for screen readers. */
  name: (item: Item) => string
  children: (item: Item) => ComponentChildren
  /** The items to suggest, best first. */
  search: (typed: string) => Item[] | Promise<Item[]>
  /** Whether to suggest items before anything is typed; for sets with few candidates. */
  eager?: boolean
  /** The items of the saved set that match the typed text. */
  list: (typed: string) => Listed<Item>
  /** The size of the saved set, whatever is typed. */
  count: number
  /** Whether an item is in the set. */
  isIn: (item: Item) => boolean
  staged: Staged<Item>
  change: (staged: Staged<Item>) => void
  /** Why an item cannot be removed; undefined if it can. */
  fixed?: (item: Item) => ComponentChildren
  /** Why the set cannot be changed at all. */
  locked?: ComponentChildren
  /** For items that can end: the saved end of an item, and whether its end cannot be changed. */
  ends?: { now: (item: Item) => string | null; isFixed?: (item: Item) => boolean }
  /** Finds the items that the lines of a pasted list mean, at most 500 per call. */
  resolve?: (texts: string[]) => Promise<Resolved<Item>[]>
}
