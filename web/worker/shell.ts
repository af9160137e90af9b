/** The cached files of the pages. A version is used only once all its files are fetched, each verified by its hash. */

declare const self: ServiceWorkerGlobalScope

/** The address of the portal: the folder with this worker. */
export const base = new URL('./', self.location.href)
const files = __SHELL__
const OURS = `bawaba ${base.pathname} `
const SHELL = OURS + __BUILD__
/** The cache keys of the page. The page for framed apps needs a separate entry, because its policy allows framing other sites. */
const PLAIN = base.href
const FRAMING = new URL('apps/-', base).href
const isFraming = (path: string) => path.startsWith('apps/')

/** How many versions stay cached: pages of former versions may still be open. */
const MOST_VERSIONS = 3
const AT_ONCE = 4
/** How long to wait for the portal's page before the cached one is shown, in ms. */
const PATIENCE_MS = 2500

async function fetchFile(cache: Cache, name: string, integrity?: string) {
  const url = new URL(name, base).href
  const isNamedByHash = name.startsWith('assets/')
  const known = isNamedByHash && (await caches.match(url))
  if (known) return cache.put(url, known)
  const ask = (mode: RequestCache) => fetch(url, { integrity, cache: mode })
  // The browser's cache may hold wrong content, such as a network's sign-in page. If the hash is wrong, the file is fetched again.
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

/** Fetches the files of this version, without those of desks. Throws if one is missing; fetched files stay for the next try. */
export async function fetchShell() {
  const cache = await caches.open(SHELL)
  const waiting = Object.entries(files)
  const work = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) await fetchFile(cache, ...next)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  for (const url of [PLAIN, FRAMING]) await fetchPage(cache, url)
}

/** Deletes all versions but the newest `MOST_VERSIONS`. */
export async function dropFormer() {
  const others = (await caches.keys()).filter((name) => name.startsWith(OURS) && name !== SHELL)
  for (const name of others.slice(0, 1 - MOST_VERSIONS)) await caches.delete(name)
}

/** Whether a path is that of a file that may be cached. */
export const isFile = (path: string) => path in files || path.startsWith('assets/')

/** A file from the cache, of any version, or from the portal. A desk's files are cached when first used. */
export async function fileOf(request: Request, path: string) {
  const cache = await caches.open(SHELL)
  const find = async () => (await cache.match(request)) ?? (await caches.match(request))
  const kept = await find()
  if (!kept && path.startsWith('assets/')) await fetchFile(cache, path, files[path]).catch(() => {})
  return kept ?? (await find()) ?? fetch(request)
}

/** The portal's page, or the cached page if the portal does not answer in time or answers with an error. */
export async function pageOf(request: Request, path: string) {
  const kept = async () => (await caches.open(SHELL)).match(isFraming(path) ? FRAMING : PLAIN)
  const asked = fetch(request)
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS)).then(kept)
  const first = await Promise.race([asked.catch(() => undefined), late])
  if (first && first.status < 500) return first
  return (await kept()) ?? asked
}
