/** Returns all ids with `some` of them reordered. They share the places that they had before; the rest stay in theirs. */
export function withOrder(all: readonly number[], some: readonly number[]): number[] {
  const moved = new Set(some)
  const next = some.values()
  return all.map((id) => (moved.has(id) ? next.next().value! : id))
}
