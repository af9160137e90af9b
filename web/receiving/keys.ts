const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }

const focusable = (card: Element | undefined) => card?.querySelector<HTMLElement>('input, .receiving-onward, a')

/** Arrow keys walk the cards of a column, and lead to the next column. */
export function walk(event: KeyboardEvent) {
  const from = event.target as HTMLElement
  const card = from.closest<HTMLElement>('[data-order]')
  if (!card || from.closest('.menu')) return
  const lists = [...document.querySelectorAll('.receiving-list')]
  const here = lists.findIndex((list) => list.contains(card))
  const cardsOf = (list: Element | undefined) => [...(list?.querySelectorAll('[data-order]') ?? [])]
  let target: Element | undefined
  if (event.key in steps) {
    const cards = cardsOf(lists[here])
    target = cards[cards.indexOf(card) + steps[event.key]!]
  } else if (/^Arrow(Left|Right)$/.test(event.key)) {
    const isOnward = (event.key === 'ArrowLeft') === (getComputedStyle(card).direction === 'rtl')
    target = cardsOf(lists[here + (isOnward ? 1 : -1)])[0]
  } else return
  event.preventDefault()
  focusable(target)?.focus()
}
