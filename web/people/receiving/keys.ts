/** The focus among the cards of orders, on this board and on the page of a team’s leads. */
const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }

export const focusedCard = () => document.activeElement?.closest<HTMLElement>('[data-order]')
export const cardOf = ({ id }: { id: number }) => document.querySelector(`[data-order="${id}"]`)
const focusable = (card: Element | null | undefined) => card?.querySelector<HTMLElement>('input, a')

/** Arrow keys walk the cards of a column, and lead to the next column. */
export function walk(event: KeyboardEvent) {
  const from = event.target as HTMLElement
  const card = from.closest<HTMLElement>('[data-order]')
  if (!card || from.closest('.menu')) return
  const cards = [...document.querySelectorAll('[data-order]')]
  const lists = [...Map.groupBy(cards, ({ parentElement }) => parentElement).values()]
  const here = lists.findIndex((list) => list.includes(card))
  let target: Element | undefined
  if (event.key in steps) {
    target = lists[here]![lists[here]!.indexOf(card) + steps[event.key]!]
  } else if (/^Arrow(Left|Right)$/.test(event.key)) {
    const isOnward = (event.key === 'ArrowLeft') === (getComputedStyle(card).direction === 'rtl')
    target = lists[here + (isOnward ? 1 : -1)]?.[0]
  } else return
  event.preventDefault()
  focusable(target)?.focus()
}

/** How many animation frames to wait for a card to disappear after its order has left the column. */
const FRAMES = 10
const frame = () => new Promise(requestAnimationFrame)

/** Moves the focus to a neighbour when a focused card leaves its column: at once, or after `settled`. */
export async function keepPlace(card: Element | null | undefined, settled?: Promise<unknown>) {
  const next = card?.nextElementSibling ?? card?.previousElementSibling
  await settled
  // The board is drawn again only some frames later.
  for (let n = 0; n === 0 || (settled && card?.isConnected && n < FRAMES); n++) await frame()
  // Once the card is gone, the page may have given the focus to a heading.
  const here = document.activeElement
  if (here?.isConnected && here !== document.body && !(settled && here.matches('h1, h2'))) return
  focusable(next)?.focus()
}
