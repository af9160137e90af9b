/** As much of a browser as `platform/` asks for, so that tests can read it without one. What is asked of the portal is answered by `answers`. */
class Kept {
  [name: string]: unknown
  getItem(name: string) {
    return this[name] ?? null
  }
  setItem(name: string, value: string) {
    this[name] = value
  }
  removeItem(name: string) {
    delete this[name]
  }
}

/** What an address below `/api` answers, with its version, or how much there is of the list. */
export const answers = new Map<string, { body: unknown; version?: string; total?: number }>()

/** What was asked of the portal and where the page went, in order. */
export const seen: string[] = []

const page = new EventTarget()
Object.assign(globalThis, {
  addEventListener: page.addEventListener.bind(page),
  removeEventListener: page.removeEventListener.bind(page),
  dispatchEvent: page.dispatchEvent.bind(page),
  document: { baseURI: 'http://portal.test/', documentElement: { lang: 'en' } },
  location: Object.assign(new URL('http://portal.test/'), {
    replace: (address: string) => seen.push(`to ${address}`),
    reload: () => seen.push('anew'),
  }),
  EventSource: class extends EventTarget {
    close() {}
  },
  history: { state: { key: 'first' }, replaceState: () => {} },
  localStorage: new Kept(),
  sessionStorage: new Kept(),
  async fetch(address: string, { method }: { method: string }) {
    const { pathname, search } = new URL(address, 'http://portal.test/')
    if (method !== 'GET') seen.push(`${method} ${pathname.replace('/api', '')}`)
    const { body, version, total } = answers.get(pathname.replace('/api', '') + search) ?? { body: [] }
    const headers = { ...(version && { etag: version }), ...(total !== undefined && { 'x-total-count': String(total) }) }
    return new Response(JSON.stringify(body), { headers })
  },
})
Object.defineProperty(navigator, 'onLine', { value: true })
