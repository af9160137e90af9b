/**
 * Keeps the focus on the page: when the focused element is removed, such as the button of a deleted row, the nearest heading gets the
 * focus. Returns a function that stops it.
 */
export function keepFocus() {
  /** The element that had the focus last, followed by its ancestors. */
  let last: Element[] = []
  const note = ({ target }: Event) => {
    last = []
    for (let at = target as Element | null; at; at = at.parentElement) last.push(at)
  }
  // A press outside the element takes the focus away on purpose.
  const press = ({ target }: Event) => {
    if (!last[0]?.contains(target as Node)) last = []
  }
  const isLost = () => last.length > 0 && !last[0]!.isConnected && (document.activeElement ?? document.body) === document.body
  const find = () => {
    if (!isLost()) return
    const place = last.find((one) => one.isConnected)?.closest('section, dialog, main')
    const heading = (place?.querySelector('h1, h2') ?? document.querySelector('main h1')) as HTMLElement | null
    if (!heading) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
  }
  // Waits two frames, because the element's replacement may take the focus itself.
  const look = () => isLost() && requestAnimationFrame(() => requestAnimationFrame(find))
  const changes = new MutationObserver(look)
  changes.observe(document.body, { childList: true, subtree: true })
  addEventListener('focusin', note)
  addEventListener('pointerdown', press, true)
  return () => {
    changes.disconnect()
    removeEventListener('focusin', note)
    removeEventListener('pointerdown', press, true)
  }
}
