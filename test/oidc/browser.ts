/** A browser that goes from the portal to a provider and back, with the cookies of each. */
import type { Answer, Client, TestPortal } from '../portal.ts'
import { recordRefusal } from '../provoked.ts'

interface Went {
  status: number
  /** The path and query on the portal to which the browser was redirected last. */
  path: string
  headers: Headers
}

const MOST_REDIRECTS = 20
/** The most characters of a cookie's name and value together: browsers drop a longer cookie. */
const MOST_COOKIE = 4096

export function openBrowser({ base, instance }: Pick<TestPortal, 'base' | 'instance'>) {
  const jars = new Map<string, Map<string, string>>()
  const jarOf = (origin: string) => {
    const jar = jars.get(origin) ?? new Map<string, string>()
    jars.set(origin, jar)
    return jar
  }
  const publicOrigin = instance.config.publicOrigin
  /** Requests to PUBLIC_URL go to the address at which the portal listens. */
  const reachable = (url: URL) => (url.origin === publicOrigin ? new URL(url.pathname + url.search, base) : url)

  async function ask(address: string, init: RequestInit = {}) {
    const url = reachable(new URL(address, publicOrigin))
    const jar = jarOf(url.origin)
    const cookie = Array.from(jar, ([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', ...init, headers: { ...init.headers, ...(cookie && { cookie }) } })
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      if (/Max-Age=0|Expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name!)
      else if (name!.length + value!.length <= MOST_COOKIE) jar.set(name!, value!)
    }
    return response
  }

  /** Follows redirects until the portal leads to a page of its own, or an answer is not a redirect. */
  async function follow(address: string): Promise<Went> {
    let at = new URL(address, publicOrigin)
    for (let n = 0; n < MOST_REDIRECTS; n++) {
      if (at.origin === publicOrigin && !at.pathname.startsWith('/api/'))
        return { status: 200, path: at.pathname + at.search, headers: new Headers() }
      const response = await ask(at.href)
      const location = response.headers.get('location')
      if (response.status < 300 || response.status >= 400 || location === null)
        return { status: response.status, path: at.pathname + at.search, headers: response.headers }
      at = new URL(location, at)
    }
    throw new Error(`more than ${MOST_REDIRECTS} redirects, the last to ${at}`)
  }

  const call = async (method: string, path: string, body?: unknown) => {
    const init = body === undefined ? { method } : { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    const response = await ask(`${publicOrigin}/api${path}`, init)
    const text = await response.text()
    const parsed: Answer['body'] = text ? JSON.parse(text) : undefined
    recordRefusal(method, path, parsed?.code)
    return { status: response.status, body: parsed, headers: response.headers }
  }

  /** Begins an attempt to sign in; returns its address at the provider. */
  async function start(slug = 'entra', body: Record<string, unknown> = {}) {
    const answer = await call('POST', `/auth/oidc/${slug}/start`, body)
    if (answer.status !== 200) throw new Error(`no attempt: ${JSON.stringify(answer.body)}`)
    return answer.body.url as string
  }

  return {
    ask,
    follow,
    call,
    start,
    /** Signs in with a provider; returns the page to which the browser comes back. */
    signIn: async (slug = 'entra', body: Record<string, unknown> = {}) => (await follow(await start(slug, body))).path,
    me: () => call('GET', '/auth/me'),
    /** The cookies of the portal. */
    cookies: () => jarOf(new URL(base).origin),
  }
}
export type TestBrowser = ReturnType<typeof openBrowser>

/** A browser that is signed in as this person. */
export function browserOf(portal: Pick<TestPortal, 'base' | 'instance'>, { cookie }: Client) {
  const browser = openBrowser(portal)
  browser.cookies().set('portal_session', cookie.split('=')[1]!)
  return browser
}
