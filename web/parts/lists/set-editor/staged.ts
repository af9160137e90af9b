/** A change of an item's end; null means no end. */
export interface EndMove<Item> {
  item: Item
  from: string | null
  to: string | null
  /** Whether the end is the item's only change: the item neither joins nor leaves. */
  isAlone?: true
}

/** The staged changes of a set: the items to add and to remove on the next save, and the ends that change with it. */
export interface Staged<Item> {
  add: readonly Item[]
  remove: readonly Item[]
  ends?: readonly EndMove<Item>[]
}

type Id<Item> = (item: Item) => number

/** The changed ends of items that stay in the set. */
const changedEnds = <Item>({ ends = [] }: Staged<Item>) => ends.filter(({ isAlone }) => isAlone)

export const sizeOf = (staged: Staged<unknown>) => staged.add.length + staged.remove.length + changedEnds(staged).length

/** All items that change, the leaving ones first. */
export const changedItems = <Item>(staged: Staged<Item>): readonly Item[] => [
  ...staged.remove,
  ...staged.add,
  ...changedEnds(staged).map(({ item }) => item),
]

/** The ends that a save must set. The end of a removed item is removed with the item. */
export const endsToGive = <Item>({ ends = [] }: Staged<Item>) => ends.filter(({ to, isAlone }) => isAlone || to !== null)

const staging = <Item>(add: readonly Item[], remove: readonly Item[], ends: readonly EndMove<Item>[]): Staged<Item> => ({
  add,
  remove,
  ...(ends.length > 0 && { ends }),
})

/** Stages the adding of items. An item that was to be removed stays instead. */
export function joining<Item>({ add, remove, ends = [] }: Staged<Item>, items: readonly Item[], id: Id<Item>): Staged<Item> {
  const wanted = new Map(items.map((item) => [id(item), item]))
  const stays = new Set(remove.filter((item) => wanted.delete(id(item))).map(id))
  for (const item of add) wanted.delete(id(item))
  return staging(
    [...add, ...wanted.values()],
    remove.filter((item) => !stays.has(id(item))),
    ends.filter(({ item }) => !stays.has(id(item))),
  )
}

/** Stages the removal of an item with its end. An item that was to be added is no longer added instead. */
export function leaving<Item>(staged: Staged<Item>, item: Item, id: Id<Item>, end: string | null = null): Staged<Item> {
  if (staged.remove.some((one) => id(one) === id(item))) return staged
  const { add, remove, ends = [] } = takingBack(staged, item, id)
  if (add.length < staged.add.length) return staging(add, remove, ends)
  return staging(add, [...remove, item], end ? [...ends, { item, from: end, to: null }] : ends)
}

/** Stages an end for an item that joins or stays. `now` is its saved end. */
export function ending<Item>({ add, remove, ends = [] }: Staged<Item>, item: Item, id: Id<Item>, now: string | null, to: string | null) {
  const others = ends.filter((one) => id(one.item) !== id(item))
  const isAlone = !add.some((one) => id(one) === id(item))
  const from = isAlone ? now : null
  return staging(add, remove, from === to ? others : [...others, { item, from, to, ...(isAlone && { isAlone: true as const }) }])
}

/** The end of an item once the changes are saved. */
export const endIn = <Item>({ ends = [] }: Staged<Item>, item: Item, id: Id<Item>, now: string | null) => {
  const move = ends.find((one) => id(one.item) === id(item))
  return move ? move.to : now
}

/** Unstages the change of an item. */
export const takingBack = <Item>({ add, remove, ends = [] }: Staged<Item>, item: Item, id: Id<Item>): Staged<Item> =>
  staging(
    add.filter((one) => id(one) !== id(item)),
    remove.filter((one) => id(one) !== id(item)),
    ends.filter((one) => id(one.item) !== id(item)),
  )

/**
 * The changes that remain after some were saved. `isIn` and `endNow` describe the set as it is now. If an item has joined without its end,
 * the end stays staged.
 */
export function unsaved<Item>(
  { add, remove, ends = [] }: Staged<Item>,
  isIn: (item: Item) => boolean,
  endNow: (item: Item) => string | null = () => null,
): Staged<Item> {
  const left = ends.flatMap((move): EndMove<Item>[] => {
    const { item, to, isAlone } = move
    const joins = !isAlone && to !== null
    if (!isIn(item)) return joins ? [move] : []
    if (!isAlone && !joins) return [move]
    const from = endNow(item)
    return from === to ? [] : [{ item, from, to, isAlone: true }]
  })
  return staging(
    add.filter((item) => !isIn(item)),
    remove.filter((item) => isIn(item)),
    left,
  )
}

/** The changes that undo saved changes. */
export const reversed = <Item>({ add, remove, ends = [] }: Staged<Item>): Staged<Item> =>
  staging(
    remove,
    add,
    ends.map(({ from, to, ...rest }) => ({ ...rest, from: to, to: from })),
  )

/** The texts of a pasted list without duplicates; undefined for a single text, which is treated as typed. */
export function splitPasted(text: string): string[] | undefined {
  const texts = new Set(
    text
      .split(/[\n\r\t,;،؛]+/)
      // Mail programs copy people as "Huda Salem <huda@example.com>".
      .map((one) => (/<([^<>\s]+@[^<>\s]+)>/.exec(one)?.[1] ?? one).trim())
      .filter((one) => one !== ''),
  )
  return texts.size > 1 ? [...texts] : undefined
}

/** A text of a pasted list, with the items that it may mean. */
export interface Resolved<Item> {
  text: string
  matches: readonly Item[]
}

/** Sorts a resolved list into clear matches, ambiguous texts and texts without a match. */
export function sortResolved<Item>(resolved: readonly Resolved<Item>[], id: Id<Item>, isIn: (item: Item) => boolean) {
  const only = resolved.flatMap(({ matches }) => (matches.length === 1 ? matches : []))
  const found = [...new Map(only.map((item) => [id(item), item])).values()]
  return {
    found: found.filter((item) => !isIn(item)),
    already: found.filter(isIn),
    ambiguous: resolved.filter(({ matches }) => matches.length > 1),
    missing: resolved.filter(({ matches }) => matches.length === 0).map(({ text }) => text),
  }
}
