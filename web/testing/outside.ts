/** The part of a browser that `platform/` needs, so that tests can import it without one. `answers` has the portal's answers. */
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

/** The answer of an address below `/api`, with its version or the length of the list. */
export const answers = new Map<string, { body: unknown; version?: string; total?: number }>()

/** The calls of the portal and the addresses that the page opened, in order. */
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
