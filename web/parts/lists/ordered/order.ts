/**
 * Returns `all` with the ids of `some` in their new order. These ids fill the places that they held before; all other ids keep their
 * places.
 */
export function withOrder(all: readonly number[], some: readonly number[]): number[] {
  const moved = new Set(some)
  const next = some.values()
  return all.map((id) => (moved.has(id) ? next.next().value! : id))
}
