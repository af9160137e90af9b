/** Fakes the parts of a browser that `platform/` needs, so that tests can import it. `answers` has the portal's answers. */
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

/** The answers by their address below `/api`, optionally with a status, a version, the length of the whole list, and the portal's time. */
export const answers = new Map<string, { body: unknown; status?: number; version?: string; total?: number; date?: string }>()

/** The calls to the portal and the addresses that the page opened, in order. */
export const seen: string[] = []

const page = new EventTarget()
const steps = [{ state: { key: 'first' } as unknown, href: 'http://portal.test/' }]
let step = 0
function put(at: number, state: unknown, url: string | undefined) {
  if (at > step) steps.splice(at)
  step = at
  steps.splice(at, 1, { state, href: new URL(url ?? location.href, location.href).href })
  location.href = steps[at]!.href
}
function move(by: number) {
  step += by
  location.href = steps[step]!.href
  page.dispatchEvent(Object.assign(new Event('popstate'), { state: steps[step]!.state }))
}
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
  history: {
    get state() {
      return steps[step]!.state
    },
    pushState: (state: unknown, _: string, url?: string) => put(step + 1, state, url),
    replaceState: (state: unknown, _: string, url?: string) => put(step, state, url),
    back: () => move(-1),
    forward: () => move(1),
  },
  scrollY: 0,
  localStorage: new Kept(),
  sessionStorage: new Kept(),
  async fetch(address: string, { method }: { method: string }) {
    const { pathname, search } = new URL(address, 'http://portal.test/')
    if (method !== 'GET') seen.push(`${method} ${pathname.replace('/api', '')}`)
    const { body, status = 200, version, total, date } = answers.get(pathname.replace('/api', '') + search) ?? { body: [] }
    const headers = {
      ...(version && { etag: version }),
      ...(total !== undefined && { 'x-total-count': String(total) }),
      ...(date && { date }),
    }
    return new Response(JSON.stringify(body), { headers, status })
  },
})
Object.defineProperty(navigator, 'onLine', { value: true })
