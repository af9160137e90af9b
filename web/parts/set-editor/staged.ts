/** What is to join a set and what is to leave it, before it is saved. */
export interface Staged<Item> {
  add: readonly Item[]
  remove: readonly Item[]
}

type Id<Item> = (item: Item) => number

export const sizeOf = ({ add, remove }: Staged<unknown>) => add.length + remove.length

/** What is staged once these items join: who was to leave stays. */
export function joining<Item>({ add, remove }: Staged<Item>, items: readonly Item[], id: Id<Item>): Staged<Item> {
  const wanted = new Map(items.map((item) => [id(item), item]))
  const stays = remove.filter((item) => wanted.delete(id(item)))
  for (const item of add) wanted.delete(id(item))
  return { add: [...add, ...wanted.values()], remove: remove.filter((item) => !stays.includes(item)) }
}

/** What is staged once an item leaves: who was to join does not. */
export function leaving<Item>({ add, remove }: Staged<Item>, item: Item, id: Id<Item>): Staged<Item> {
  const others = add.filter((one) => id(one) !== id(item))
  if (others.length < add.length || remove.some((one) => id(one) === id(item))) return { add: others, remove }
  return { add, remove: [...remove, item] }
}

/** What is staged once nothing is to become of an item. */
export const takingBack = <Item>({ add, remove }: Staged<Item>, item: Item, id: Id<Item>): Staged<Item> => ({
  add: add.filter((one) => id(one) !== id(item)),
  remove: remove.filter((one) => id(one) !== id(item)),
})

/** The texts of a pasted list, each once; undefined where it is a single one, which is typed text. */
export function splitPasted(text: string): string[] | undefined {
  const texts = new Set(
    text
      .split(/[\n\r\t,;،؛]+/)
      // "Huda Salem <huda@example.com>" is how mail programs copy people.
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

/** Sorts a resolved list: items that are meant without doubt, texts that may mean several, texts that mean none. */
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
