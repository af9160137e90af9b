/** All ids, with `some` of them in a new order in the places that they had together. */
export function withOrder(all: readonly number[], some: readonly number[]): number[] {
  const moved = new Set(some)
  const next = some.values()
  return all.map((id) => (moved.has(id) ? next.next().value! : id))
}
