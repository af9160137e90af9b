/** As much of a browser as `platform/` asks for, so that tests can read it without one. What is asked of the portal is answered by `answers`. */
class Kept {
  readonly #all = new Map<string, string>()
  getItem(name: string) {
    return this.#all.get(name) ?? null
  }
  setItem(name: string, value: string) {
    this.#all.set(name, value)
  }
  removeItem(name: string) {
    this.#all.delete(name)
  }
}

/** What an address below `/api` answers, with its version. */
export const answers = new Map<string, { body: unknown; version?: string }>()

const page = new EventTarget()
Object.assign(globalThis, {
  addEventListener: page.addEventListener.bind(page),
  removeEventListener: page.removeEventListener.bind(page),
  dispatchEvent: page.dispatchEvent.bind(page),
  document: { baseURI: 'http://portal.test/', documentElement: { lang: 'en' } },
  location: new URL('http://portal.test/'),
  history: { state: { key: 'first' }, replaceState: () => {} },
  localStorage: new Kept(),
  sessionStorage: new Kept(),
  async fetch(request: Request) {
    const { pathname, search } = new URL(request.url)
    const { body, version } = answers.get(pathname.replace('/api', '') + search) ?? { body: [] }
    return new Response(JSON.stringify(body), { headers: version ? { etag: version } : {} })
  },
})
Object.defineProperty(navigator, 'onLine', { value: true })
