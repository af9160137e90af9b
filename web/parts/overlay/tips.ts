/** Tooltips for buttons without a text, while the pointer rests on them or they have the keyboard focus. */

const AFTER_MS = 400
const TEXTLESS = ':is(button, a, summary):is([data-shape=round], [data-tip])'
const EDGE = 8

/** Starts showing tooltips. Returns a function that stops it. */
export function startTips() {
  const tip = document.createElement('div')
  tip.className = 'tip'
  tip.popover = 'manual'
  // Hidden from screen readers, because it repeats the button's name.
  tip.ariaHidden = 'true'
  document.body.append(tip)
  let timer: ReturnType<typeof setTimeout> | undefined
  let about: Element | undefined

  function hide() {
    clearTimeout(timer)
    about = undefined
    if (tip.matches(':popover-open')) tip.hidePopover()
  }
  function show(button: Element) {
    // The button may be gone, or have opened its menu.
    if (!button.isConnected || button.matches(':has(+ :popover-open)')) return
    tip.textContent = button.ariaLabel
    const keys = button.getAttribute('aria-keyshortcuts')?.replace('Control', 'Ctrl')
    if (keys) {
      const cap = document.createElement('kbd')
      cap.textContent = keys
      cap.dir = 'ltr'
      tip.append(cap)
    }
    tip.showPopover()
    const box = button.getBoundingClientRect()
    const room = tip.getBoundingClientRect()
    const isBelow = box.bottom + room.height + EDGE < innerHeight
    const x = Math.min(innerWidth - room.width - EDGE, Math.max(EDGE, box.x + (box.width - room.width) / 2))
    Object.assign(tip.style, { left: `${x}px`, top: `${isBelow ? box.bottom + 4 : box.top - room.height - 4}px` })
  }
  function reached(event: Event) {
    const button = (event.target as Element).closest?.(TEXTLESS) ?? undefined
    if (button === about) return
    hide()
    const isMeant = event instanceof PointerEvent ? event.pointerType === 'mouse' : button?.matches(':focus-visible')
    if (!button?.ariaLabel || !isMeant) return
    about = button
    timer = setTimeout(show, AFTER_MS, button)
  }
  const pressed = (event: KeyboardEvent) => event.key === 'Escape' && hide()
  const ends = new AbortController()
  const options = { signal: ends.signal, capture: true, passive: true }
  for (const type of ['pointerover', 'focusin'] as const) addEventListener(type, reached, options)
  for (const type of ['pointerdown', 'scroll', 'focusout'] as const) addEventListener(type, hide, options)
  addEventListener('keydown', pressed, options)
  return () => {
    ends.abort()
    hide()
    tip.remove()
  }
}
