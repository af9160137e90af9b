/** The address is the state: the path, filters and dates. Going back restores the scroll position and the focus. */
import { computed, signal } from '@preact/signals'

const base = new URL(document.baseURI).pathname

/** The address to write into a link: the portal may be served below a path. */
export const at = (path: string) => base + path.replace(/^\//, '')

/** The headers of the portal's page (HEAD); undefined if it does not answer. */
export const askPage = () => fetch(at('/'), { method: 'HEAD' }).catch(() => undefined)

const read = () => ({
  path: `/${location.pathname.slice(base.length)}`.replace(/(.)\/$/, '$1'),
  query: new URLSearchParams(location.search),
})

const place = signal(read())
/** The current path, without the path below which the portal is served. */
export const path = computed(() => place.value.path)
/** The value of a query parameter, or ''. */
export const queryValue = (name: string) => place.value.query.get(name) ?? ''

interface Memory {
  top: number
  focus: string | undefined
}
const memories = new Map<string, Memory>()
let current = keyOf(history.state)
let awaited: Memory | undefined
/** The element that had the focus when the address changed. */
let left: Element | null
let isNew = true

function keyOf(state: unknown) {
  const key = (state as { key?: string } | null)?.key
  if (key) return key
  const made = Math.random().toString(36).slice(2)
  history.replaceState({ key: made }, '')
  return made
}

/** A selector that finds an element again after the page was rendered anew. */
function selectorOf(element: Element | null) {
  if (!element || element === document.body) return undefined
  if (element.id) return `#${CSS.escape(element.id)}`
  const href = element.getAttribute('href')
  return href ? `a[href="${CSS.escape(href)}"]` : undefined
}

const remember = () => memories.set(current, { top: scrollY, focus: selectorOf(document.activeElement) })

function enter(memory: Memory | undefined) {
  awaited = memory
  left = document.activeElement
  isNew = false
  place.value = read()
}

const isFramed = (of: string) => /^\/apps\/./.test(of)

/** Goes to an address of the portal. `replace` adds no history entry. */
export function go(to: string, { replace = false } = {}) {
  remember()
  const url = at(to)
  // This document's policy forbids framing other sites, so the page of an app is a separate document.
  if (isFramed(to.split('?')[0]!) !== isFramed(path.peek())) return replace ? location.replace(url) : location.assign(url)
  if (replace) history.replaceState({ key: current }, '', url)
  else {
    current = Math.random().toString(36).slice(2)
    history.pushState({ key: current }, '', url)
  }
  enter(undefined)
}

/**
 * Returns a function that says whether the person is still on this page. A change of the query does not leave the page, nor does `go` with
 * `replace`.
 */
export function visit() {
  const from = current
  return () => current === from
}

/**
 * Returns a `go` that does nothing once the person has left this page. Get it before a call: its late answer then leads nobody away from
 * another page.
 */
export function onward(): typeof go {
  const isThere = visit()
  return (...there) => {
    if (isThere()) go(...there)
  }
}

/** Sets query parameters without adding a history entry; '' removes a parameter. */
export function setQuery(values: Record<string, string>) {
  const query = new URLSearchParams(location.search)
  for (const [name, value] of Object.entries(values)) {
    if (value) query.set(name, value)
    else query.delete(name)
  }
  const text = query.toString()
  history.replaceState(history.state, '', location.pathname + (text && `?${text}`))
  place.value = read()
}

export const back = () => history.back()

/**
 * How many frames to wait for the element that had the focus at the last visit: a long list renders that element only after the page has
 * scrolled to it.
 */
const PATIENCE_FRAMES = 20

/** Restores the scroll position and focus of the last visit, or focuses the heading. The frame calls it once the page is rendered. */
export function arrived() {
  const memory = awaited
  awaited = undefined
  let frames = memory?.focus ? PATIENCE_FRAMES : 0
  const isThere = visit()
  const settle = () => {
    // The page that was loaded first is at its top; to scroll there would only make the browser lay it out at once.
    if (isNew || !isThere()) return
    scrollTo({ top: memory?.top ?? 0, behavior: 'instant' })
    const remembered = memory?.focus ? document.querySelector<HTMLElement>(memory.focus) : null
    if (!remembered && frames-- > 0) return requestAnimationFrame(settle)
    const target = remembered ?? document.querySelector<HTMLElement>('main h1') ?? document.querySelector<HTMLElement>('main')
    // A person who was quicker than the page has already focused something.
    const active = document.activeElement
    const isQuicker = active?.closest('main') || (active !== left && active?.matches('input'))
    if (!target || target.contains(active) || (!remembered && isQuicker)) return
    if (!remembered) target.tabIndex = -1
    target.focus({ preventScroll: true })
  }
  requestAnimationFrame(settle)
}

/** Handles links and the browser's back and forward within the page. */
export function startRouting() {
  history.scrollRestoration = 'manual'
  addEventListener('popstate', (event) => {
    remember()
    current = keyOf(event.state)
    enter(memories.get(current))
  })
  addEventListener('click', (event) => {
    const link = (event.target as Element).closest?.<HTMLAnchorElement>('a[href]')
    if (!link || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    if ((link.target && link.target !== '_self') || link.hasAttribute('download') || link.origin !== location.origin) return
    const inside = link.pathname.startsWith(base) ? `/${link.pathname.slice(base.length)}` : undefined
    if (inside === undefined || inside.startsWith('/api/')) return
    event.preventDefault()
    if (link.hash && link.pathname === location.pathname) return document.querySelector<HTMLElement>(link.hash)?.focus()
    go(inside + link.search + link.hash)
  })
}
