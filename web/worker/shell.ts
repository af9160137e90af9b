/** The files of the pages, kept by the browser: fetched whole or not at all, each as its hash says. */

declare const self: ServiceWorkerGlobalScope

/** Where the portal lives: the folder that this worker is in. */
export const base = new URL('./', self.location.href)
const files = __SHELL__
const OURS = `bawaba ${base.pathname} `
const SHELL = OURS + __BUILD__
/** Under which the page is kept; the one that may frame other sites has a policy of its own. */
const PLAIN = base.href
const FRAMING = new URL('apps/-', base).href
const isFraming = (path: string) => path.startsWith('apps/')

/** Versions whose files are kept: pages of the former ones may be open still. */
const MOST_VERSIONS = 3
const AT_ONCE = 4
/** How long a page is waited for before the kept one is shown. */
const PATIENCE_MS = 2500

async function fetchFile(cache: Cache, name: string, integrity?: string) {
  const url = new URL(name, base).href
  const isNamedByHash = name.startsWith('assets/')
  const known = isNamedByHash && (await caches.match(url))
  if (known) return cache.put(url, known)
  const ask = (mode: RequestCache) => fetch(url, { integrity, cache: mode })
  // What the browser has of it may be something else: a network that wants a sign-in of its own answers anything.
  const found = isNamedByHash ? await ask('default').catch(() => ask('reload')) : await ask('no-cache')
  const isPage = found.headers.get('content-type')?.startsWith('text/html')
  if (!found.ok || (!integrity && isPage)) throw new Error(`${name}: ${found.status}`)
  await cache.put(url, found)
}

async function fetchPage(cache: Cache, url: string) {
  const page = await fetch(url, { cache: 'no-cache' })
  if (page.headers.get('x-pages') !== __BUILD__) throw new Error('the portal has other pages meanwhile')
  await cache.put(url, page)
}

/** Fetches what this version of the pages is made of, without the desks; fails unless all of it came. What came is there for the next try. */
export async function fetchShell() {
  const cache = await caches.open(SHELL)
  const waiting = Object.entries(files)
  const work = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) await fetchFile(cache, ...next)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  for (const url of [PLAIN, FRAMING]) await fetchPage(cache, url)
}

/** Forgets the files of versions that are long gone. */
export async function dropFormer() {
  const others = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== SHELL)
  for (const name of others.slice(0, 1 - MOST_VERSIONS)) await caches.delete(name)
}

/** Whether an address below the portal's is that of a file which may be kept. */
export const isFile = (path: string) => path in files || path.startsWith('assets/')

/** A file of any version that is kept, or from the portal. A desk's, which is not of the shell, is kept from its first use on. */
export async function fileOf(request: Request, path: string) {
  const cache = await caches.open(SHELL)
  const find = async () => (await cache.match(request)) ?? (await caches.match(request))
  const kept = await find()
  if (!kept && path.startsWith('assets/')) await fetchFile(cache, path, files[path]).catch(() => {})
  return kept ?? (await find()) ?? fetch(request)
}

/** The page as the portal has it now; the kept one where it is not reached in time, or is not well. */
export async function pageOf(request: Request, path: string) {
  const kept = async () => (await caches.open(SHELL)).match(isFraming(path) ? FRAMING : PLAIN)
  const asked = fetch(request)
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS)).then(kept)
  const first = await Promise.race([asked.catch(() => undefined), late])
  if (first && first.status < 500) return first
  return (await kept()) ?? asked
}
