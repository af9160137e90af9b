/** Looks up the IP addresses of host names that people choose. */
import { promises as dns, type LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import { LRUCache } from 'lru-cache'
import { getDomain, parse } from 'tldts-icann'
import { fairSemaphore } from './concurrency.ts'

const LOOKUP_WITHIN_MS = 5000
const AT_ONCE = 16
const AT_ONCE_PER_DOMAIN = 2
/** How long addresses are cached: a service that moves is found within this time. */
const KEPT_MS = 60_000
const MOST_KEPT = 1000

/** The addresses of a name; the signal aborts the lookup. */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<LookupAddress[]>

/** The registrable domain of a name: `example.co.uk` for `a.b.example.co.uk`. */
export const domainOf = (host: string) => getDomain(host) ?? host

/** Whether the name is below a public suffix, as every name of the internet is. */
export const isBelowPublicSuffix = (host: string) => {
  const { domain, isIcann } = parse(host)
  return domain !== null && isIcann === true
}

/** Resolves as the machine does, hosts file included. Occupies one of the four threads that also hash passwords. */
export const resolveHere: Resolve = (hostname) => dns.lookup(hostname, { all: true })

/** Resolves by the name servers alone, without a thread; the signal cancels it. */
export const resolvePublic: Resolve = async (hostname, signal) => {
  const resolver = new dns.Resolver({ timeout: 2000, tries: 2 })
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
    const [four, six] = found.map((one) => (one.status === 'fulfilled' ? one.value : [])) as [string[], string[]]
    if (four.length + six.length === 0 && found[0].status === 'rejected') throw found[0].reason
    return [...four.map((address) => ({ address, family: 4 })), ...six.map((address) => ({ address, family: 6 }))]
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** Looks names up, at most 2 at once of a registrable domain. Addresses that `check` accepts are cached for a minute. */
export function openLookups(resolveOf: (hostname: string) => Resolve, check: (hostname: string, found: LookupAddress[]) => void) {
  const addresses = new LRUCache<string, LookupAddress[]>({ max: MOST_KEPT, ttl: KEPT_MS, ttlResolution: 0, noDeleteOnStaleGet: true })
  const enter = fairSemaphore<string>({ lanes: AT_ONCE, perKey: AT_ONCE_PER_DOMAIN })
  const isKnown = (hostname: string) => isIP(hostname) > 0 || addresses.has(hostname)

  return {
    isKnown,
    /** Waits for a turn to look a name up. A caller who gives up leaves the queue. */
    enter: (hostname: string, patience: () => AbortSignal) => enter(domainOf(hostname), patience),
    /** Finds the addresses of a name, unless they are cached. */
    async look(hostname: string, signal: AbortSignal) {
      if (isKnown(hostname)) return
      const found = await resolveOf(hostname)(hostname, AbortSignal.any([signal, AbortSignal.timeout(LOOKUP_WITHIN_MS)]))
      signal.throwIfAborted()
      check(hostname, found)
      addresses.set(hostname, found)
    },
    /** The cached addresses of a name, even expired ones; undefined without any. */
    known: (hostname: string) => addresses.get(hostname, { allowStale: true }),
  }
}
