/** The staged changes of a set: the items to add and to remove on the next save. */
export interface Staged<Item> {
  add: readonly Item[]
  remove: readonly Item[]
}

type Id<Item> = (item: Item) => number

export const sizeOf = ({ add, remove }: Staged<unknown>) => add.length + remove.length

/** Stages the adding of items. An item that was to be removed stays instead. */
export function joining<Item>({ add, remove }: Staged<Item>, items: readonly Item[], id: Id<Item>): Staged<Item> {
  const wanted = new Map(items.map((item) => [id(item), item]))
  const stays = remove.filter((item) => wanted.delete(id(item)))
  for (const item of add) wanted.delete(id(item))
  return { add: [...add, ...wanted.values()], remove: remove.filter((item) => !stays.includes(item)) }
}

/** Stages the removal of an item. An item that was to be added is not. */
export function leaving<Item>({ add, remove }: Staged<Item>, item: Item, id: Id<Item>): Staged<Item> {
  const others = add.filter((one) => id(one) !== id(item))
  if (others.length < add.length || remove.some((one) => id(one) === id(item))) return { add: others, remove }
  return { add, remove: [...remove, item] }
}

/** Unstages the change of an item. */
export const takingBack = <Item>({ add, remove }: Staged<Item>, item: Item, id: Id<Item>): Staged<Item> => ({
  add: add.filter((one) => id(one) !== id(item)),
  remove: remove.filter((one) => id(one) !== id(item)),
})

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
