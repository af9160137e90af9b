/**
 * Returns `all` with the ids of `some` in their new order. These ids fill the places that they held before; all other ids keep their
 * places.
 */
export function withOrder(all: readonly number[], some: readonly number[]): number[] {
  const moved = new Set(some)
  const next = some.values()
  return all.map((id) => (moved.has(id) ? next.next().value! : id))
}

/** Whether those records of `order` that are still in `all` follow each other there as in `order`. */
export function isInOrder(all: readonly { id: number }[], order: readonly { id: number }[]) {
  const places = order.map(({ id }) => all.findIndex((one) => one.id === id)).filter((place) => place >= 0)
  return places.every((place, index) => index === 0 || place > places[index - 1]!)
}
