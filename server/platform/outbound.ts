/** Outbound calls to addresses that people choose, which must not lead into the portal's own network. */
import { type LookupAddress, type LookupAllOptions, type LookupOptions, lookup } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import { Agent, buildConnector, request } from 'undici'
import { semaphore } from './concurrency.ts'

const CONNECT_WITHIN_MS = 5000
const ANSWER_WITHIN_MS = 10_000
const CLOSE_WITHIN_MS = 1000
const REST_MS = 30_000
const MOST_RESTING = 1000
const CONNECTIONS_PER_ORIGIN = 32
/** Each lookup occupies one of the four threads that also hash passwords. */
const LOOKUPS_AT_ONCE = 2
const DISCARDED_BYTES = 16_384

const given = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number]

/** Whether an address belongs to the public internet; IPv4-mapped IPv6 addresses count as IPv4. */
export function isPublicAddress(address: string) {
  if (!isIP(address)) return false
  const parsed = ipaddr.process(address)
  return parsed.range() === 'unicast' && (parsed instanceof ipaddr.IPv4 || parsed.match(given))
}

/** The host of a parsed URL without the brackets of IPv6 and the dot of a complete name. */
export const bareHost = (hostname: string) => hostname.replace(/^\[|\]$|\.$/g, '')

/** Names with a single label, which resolve in the local domain. */
const insideName = /^[^.]*$|\.(localhost|local|internal)$/

/** Whether a host may be called, as far as its name tells. */
export function mayAsk(hostname: string, internalHosts: readonly string[]) {
  const host = bareHost(hostname)
  return internalHosts.includes(host) || (isIP(host) ? isPublicAddress(host) : !insideName.test(host))
}

/** The reason for a missing answer; the message names only the host of the address. */
export class OutboundError extends Error {
  override name = 'OutboundError'
  /** The host may not be called, and trying again does not change that. */
  readonly isRefused: boolean
  constructor(host: string, why: string, isRefused = false) {
    super(`${host} ${why}`)
    this.isRefused = isRefused
  }
}

interface Options {
  /** Hosts that may have any address. */
  internalHosts?: readonly string[]
  /** Instead of the system's. */
  resolve?: Resolve
}
type Resolve = (
  hostname: string,
  options: LookupAllOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void

interface Call {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: Buffer
  /** How much of the answer's text is read; unset, nothing. */
  mostBytes?: number
  /** Instead of 10 s. */
  withinMs?: number
}

/**
 * Addresses are checked on connecting, so that a name cannot change its address in between; redirects are not followed.
 * Connecting may take 5 s and the whole 10 s, or as a call says. An origin that could not be reached, or did not answer in time, is left alone for 30 s:
 * calls to it fail at once.
 */
export function openOutbound({ internalHosts = [], resolve = lookup }: Options = {}) {
  const resting = new LRUCache<string, true>({ max: MOST_RESTING, ttl: REST_MS, ttlResolution: 0 })
  const closing = new AbortController()
  const atMost = semaphore(LOOKUPS_AT_ONCE)

  const refused = (hostname: string) => new OutboundError(bareHost(hostname), 'has an address that may not be asked', true)
  async function lookUpAll(hostname: string, options: LookupOptions) {
    const { promise, resolve: answer, reject } = Promise.withResolvers<LookupAddress[]>()
    resolve(hostname, { ...options, all: true }, (error, addresses) => (error ? reject(error) : answer(addresses)))
    const addresses = await promise
    const isFine = internalHosts.includes(bareHost(hostname)) || addresses.every(({ address }) => isPublicAddress(address))
    if (addresses.length === 0 || !isFine) throw refused(hostname)
    return addresses
  }
  const lookUp: LookupFunction = (hostname, options, done) => {
    atMost(() => lookUpAll(hostname, options)).then(
      (addresses) => (options.all ? done(null, addresses) : done(null, addresses[0]!.address, addresses[0]!.family)),
      (error) => done(error, []),
    )
  }

  const connect = buildConnector({ timeout: CONNECT_WITHIN_MS, lookup: lookUp, allowH2: false })
  const agent = new Agent({
    allowH2: false,
    connections: CONNECTIONS_PER_ORIGIN,
    // An address instead of a name is never looked up, so it is checked here.
    connect: (options, done) => (mayAsk(options.hostname, internalHosts) ? connect(options, done) : done(refused(options.hostname), null)),
  })

  /** The status of the answer and the beginning of its text. Throws an OutboundError where there is none. */
  async function ask(url: URL, { method = 'GET', headers, body, mostBytes = 0, withinMs = ANSWER_WITHIN_MS }: Call = {}) {
    const host = bareHost(url.hostname)
    if (resting.has(url.origin)) throw new OutboundError(host, 'did not answer a moment ago')
    const late = AbortSignal.timeout(withinMs)
    const signal = AbortSignal.any([late, closing.signal])
    try {
      const answer = await request(url, { method, headers, body, dispatcher: agent, signal })
      const text = mostBytes ? await readSome(answer.body, mostBytes) : await discard(answer.body, signal)
      resting.delete(url.origin)
      return { status: answer.statusCode, text }
    } catch (error) {
      if (error instanceof OutboundError) throw error
      if (late.aborted || isUnreachable(error)) resting.set(url.origin, true)
      const why = late.aborted ? 'timeout' : closing.signal.aborted ? 'stopped' : codeOf(error)
      throw new OutboundError(host, `could not be asked (${why})`)
    }
  }

  return {
    ask,
    /** Waits a moment for running calls, then aborts them. */
    async close() {
      const cut = setTimeout(() => closing.abort(), CLOSE_WITHIN_MS)
      await agent.close()
      clearTimeout(cut)
    },
  }
}
export type Outbound = ReturnType<typeof openOutbound>

type Body = Awaited<ReturnType<typeof request>>['body']

async function readSome(body: Body, mostBytes: number) {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= mostBytes) break
  }
  return Buffer.concat(chunks).subarray(0, mostBytes).toString()
}

/** Reads a short rest of the answer, so that the connection can be reused; the status counts in any case. */
const discard = (body: Body, signal: AbortSignal) =>
  body.dump({ limit: DISCARDED_BYTES, signal }).then(
    () => '',
    () => '',
  )

/** The code of an error, because messages contain addresses. */
const codeOf = (error: unknown) => /^[A-Z][A-Z0-9_]{2,60}$/.exec(String((error as { code?: unknown } | null)?.code))?.[0] ?? 'no code'

/** Whether no connection was established, rather than one broken off. */
const isUnreachable = (error: unknown) =>
  /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|ETIMEDOUT|ENOTFOUND|EAI_\w+|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|ERR_TLS_\w+|\w+_CERT\w*|ERR_SSL_\w+)$/.test(
    codeOf(error),
  )
