/** Outbound calls to addresses that people choose, which must not lead into the portal's own network. */
import type { LookupAddress } from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import type { Dispatcher } from 'undici'
import { fairSemaphore } from './concurrency.ts'
import { lazily } from './lazily.ts'
import { domainOf, openLookups, type Resolve, resolveHere, resolvePublic } from './lookups.ts'

const CONNECT_WITHIN_MS = 5000
const ANSWER_WITHIN_MS = 10_000
const CLOSE_WITHIN_MS = 1000
const REST_MS = 30_000
const MOST_RESTING = 1000
export const CONNECTIONS_PER_ORIGIN = 32
/** The time after which a call counts as slow. */
const SLOW_MS = 1000
const MOST_SLOW_OF_PERSON = 3
const MOST_SLOW_TO_DOMAIN = 6
const MOST_OF_PERSON = 4
const LINE_WITHIN_MS = 2000
const DISCARDED_BYTES = 16_384

const given = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number]

/** Whether an address belongs to the public internet; IPv4-mapped IPv6 addresses count as IPv4. */
export function isPublicAddress(address: string) {
  if (!isIP(address)) return false
  const parsed = ipaddr.process(address)
  return parsed.range() === 'unicast' && (parsed instanceof ipaddr.IPv4 || parsed.match(given))
}

/** The host of a parsed URL without the brackets of IPv6 and the final dot of a fully qualified name. */
export const bareHost = (hostname: string) => hostname.replace(/^\[|\]$|\.$/g, '')

/** Names that lead to the local network: those with a single label, and those below local domains. */
const insideName = /^[^.]*$|\.(localhost|local|internal)$/

/** Whether a host may be called, judged by its name alone. */
export function mayAsk(hostname: string, internalHosts: readonly string[]) {
  const host = bareHost(hostname)
  return internalHosts.includes(host) || (isIP(host) ? isPublicAddress(host) : !insideName.test(host))
}

/** The reason for a missing answer; the message names only the host of the address. */
export class OutboundError extends Error {
  override name = 'OutboundError'
  /** Whether the host may not be called; trying again does not change that. */
  readonly isRefused: boolean
  /**
   * The code of the cause, `timeout`, `stopped`, or `line` if the call had to wait too long for its turn; empty if the portal did not
   * attempt the call.
   */
  readonly code: string
  constructor(host: string, why: string, { isRefused = false, code = '' } = {}) {
    super(`${host} ${why}`)
    this.isRefused = isRefused
    this.code = code
  }
  /** Whether the call failed because of the portal, and says nothing about the host: it waited too long for its turn, or was stopped. */
  get isOwn() {
    return this.code === 'line' || this.code === 'stopped'
  }
}

interface Options {
  /** Hosts that may have any address. */
  internalHosts?: readonly string[]
  /** Replaces the machine's resolver and the name servers. */
  resolve?: Resolve
  /** Multiplies the default time limit of a call, the longest wait for a turn, and the time after which a call counts as slow. */
  patience?: number
  /** The certificate authorities for verifying servers, and the client certificate with its key; all in PEM. */
  tls?: { ca?: string; cert?: string; key?: string }
  /** Makes every call, even after failures and slow calls. For addresses that administrators or the operator choose. */
  isEager?: boolean
  /** The maximum number of calls to one origin at once; further ones wait for a free connection. */
  connections?: number
}

interface Call {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: Buffer
  /** The number of bytes of the answer to read at most; 0 by default. */
  mostBytes?: number
  /** The time limit; 10 s by default. */
  withinMs?: number
  /** The person who chose the address; by default the portal itself. */
  person?: number | null
}

/** Counts the running calls of each key that have lasted longer than `afterMs`; a key with `most` of them is full. */
function slowCalls<Key>(most: number, afterMs: number) {
  const slow = new Map<Key, number>()
  const count = (key: Key, more: 1 | -1) => {
    const now = (slow.get(key) ?? 0) + more
    if (now > 0) slow.set(key, now)
    else slow.delete(key)
  }
  return {
    isFull: (key: Key) => (slow.get(key) ?? 0) >= most,
    /** Begins a call; returns the function that ends it. */
    begin(key: Key) {
      let isSlow = false
      const timer = setTimeout(() => {
        isSlow = true
        count(key, 1)
      }, afterMs).unref()
      return () => {
        clearTimeout(timer)
        if (isSlow) count(key, -1)
      }
    },
  }
}

/**
 * Calls only addresses that it has checked, and follows no redirects. Connecting may take 5 s, and the whole call 10 s or its `withinMs`.
 * After a failure to connect or to answer in time, calls to the same origin fail at once for 30 s; waiting in line does not count as a
 * failure. A person has at most 4 running calls; further calls, and lookups of names, wait for 2 s at most. A call fails at once while 3 of
 * the person's calls, or 6 to the same registrable domain, are slow.
 */
export function openOutbound({
  internalHosts = [],
  resolve,
  patience = 1,
  isEager = false,
  connections = CONNECTIONS_PER_ORIGIN,
  tls = {},
}: Options = {}) {
  const resting = new LRUCache<string, true>({ max: MOST_RESTING, ttl: REST_MS, ttlResolution: 0 })
  const closing = new AbortController()
  const slowOf = slowCalls<number>(MOST_SLOW_OF_PERSON, SLOW_MS * patience)
  const slowTo = slowCalls<string>(MOST_SLOW_TO_DOMAIN, SLOW_MS * patience)

  const refused = (hostname: string) => new OutboundError(bareHost(hostname), 'has an address that may not be asked', { isRefused: true })
  const isInternal = (hostname: string) => internalHosts.includes(bareHost(hostname))
  const resolveOf = (hostname: string) => resolve ?? (isInternal(hostname) ? resolveHere : resolvePublic)
  const check = (hostname: string, found: LookupAddress[]) => {
    const isFine = isInternal(hostname) || found.every(({ address }) => isPublicAddress(address))
    if (found.length === 0 || !isFine) throw refused(hostname)
  }
  const lookups = openLookups(resolveOf, check)
  const enter = fairSemaphore<number>({ lanes: Number.POSITIVE_INFINITY, perKey: MOST_OF_PERSON })
  const lookUp: LookupFunction = (hostname, options, done) => {
    const found = lookups.known(hostname)
    if (!found) done(new OutboundError(bareHost(hostname), 'must be looked up again'), [])
    else if (options.all) done(null, found)
    else done(null, found[0]!.address, found[0]!.family)
  }

  /** Loads the HTTP client at the first call: it takes some 5 MB, and many processes never call. */
  async function openAgent() {
    const { Agent, buildConnector, request } = await import('undici')
    const connect = buildConnector({ timeout: CONNECT_WITHIN_MS, lookup: lookUp, allowH2: false, ...tls })
    const agent = new Agent({
      allowH2: false,
      connections,
      // An IP address is never looked up, so it is checked here.
      connect: (options, done) =>
        mayAsk(options.hostname, internalHosts) ? connect(options, done) : done(refused(options.hostname), null),
    })
    return { agent, request }
  }
  const opened = lazily(openAgent)

  /** Waits for the person's turn, then for a turn to look up the host's name. Throws an OutboundError if either takes too long. */
  async function takeTurns(host: string, person: number | null) {
    const soon = () => AbortSignal.any([AbortSignal.timeout(LINE_WITHIN_MS * patience), closing.signal])
    const leave = person === null ? () => {} : await enter(person, soon)
    try {
      return [leave, lookups.isKnown(host) ? () => {} : await lookups.enter(host, soon)] as const
    } catch (error) {
      leave()
      throw error
    }
  }

  /** Sends a request; returns the status, the headers and the beginning of the answer. Throws an OutboundError if there is no answer. */
  async function fetch(
    url: URL,
    { method = 'GET', headers, body, mostBytes = 0, withinMs = ANSWER_WITHIN_MS * patience, person = null }: Call = {},
  ): Promise<{ status: number; headers: AnswerHeaders; bytes: Buffer }> {
    const host = bareHost(url.hostname)
    const domain = domainOf(host)
    // Checked before any lookup, because name servers know nothing of internal names.
    if (!mayAsk(host, internalHosts)) throw refused(host)
    if (!isEager && resting.has(url.origin)) throw new OutboundError(host, 'did not answer a moment ago')
    if (!isEager && ((person !== null && slowOf.isFull(person)) || slowTo.isFull(domain)))
      throw new OutboundError(host, 'keeps too many calls waiting')
    const [leave, leaveLookup] = await takeTurns(host, person).catch(() => {
      const isStopped = closing.signal.aborted
      const why = isStopped ? 'could not be asked (stopped)' : 'was not asked: too many calls wait'
      throw new OutboundError(host, why, { code: isStopped ? 'stopped' : 'line' })
    })
    const late = AbortSignal.timeout(withinMs)
    const signal = AbortSignal.any([late, closing.signal])
    const ends = [leave, leaveLookup, ...(person === null ? [] : [slowOf.begin(person)]), slowTo.begin(domain)]
    try {
      await lookups.look(host, signal).finally(leaveLookup)
      const { agent, request } = await opened.get()
      const answer = await request(url, { method, headers, body, dispatcher: agent, signal })
      const bytes = mostBytes ? await readSome(answer.body, mostBytes) : await discard(answer.body, signal)
      resting.delete(url.origin)
      return { status: answer.statusCode, headers: answer.headers, bytes }
    } catch (error) {
      if (error instanceof OutboundError) throw error
      if (late.aborted || isUnreachable(error)) resting.set(url.origin, true)
      const code = late.aborted ? 'timeout' : closing.signal.aborted ? 'stopped' : codeOf(error)
      throw new OutboundError(host, `could not be asked (${code})`, { code })
    } finally {
      for (const end of ends) end()
    }
  }

  return {
    fetch,
    /** As `fetch`, but returns the beginning of the answer as text. */
    async ask(url: URL, call: Call = {}) {
      const { bytes, ...answer } = await fetch(url, call)
      return { ...answer, text: bytes.toString() }
    },
    /** Waits a moment for running calls, then aborts them. */
    async close() {
      const cut = setTimeout(() => closing.abort(), CLOSE_WITHIN_MS)
      const made = await opened.made()?.catch(() => undefined)
      await made?.agent.close()
      clearTimeout(cut)
      closing.abort()
    },
  }
}
export type Outbound = ReturnType<typeof openOutbound>

type Body = Dispatcher.ResponseData['body']
/** Headers by their names in lower case; the value of a header sent several times is a list. */
type AnswerHeaders = Dispatcher.ResponseData['headers']

async function readSome(body: Body, mostBytes: number) {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes >= mostBytes) break
  }
  return Buffer.concat(chunks).subarray(0, mostBytes)
}

/** Reads the answer if it is short, so that the connection can be reused. A failure to read it does not matter. */
const discard = (body: Body, signal: AbortSignal) =>
  body.dump({ limit: DISCARDED_BYTES, signal }).then(
    () => Buffer.alloc(0),
    () => Buffer.alloc(0),
  )

/** The code of an error, used instead of its message, which may contain an address. */
const codeOf = (error: unknown) => /^[A-Z][A-Z0-9_]{2,60}$/.exec(String((error as { code?: unknown } | null)?.code))?.[0] ?? 'no code'

/** Whether no connection was established, rather than one broken off. */
const isUnreachable = (error: unknown) =>
  /^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN|ETIMEDOUT|ENOTFOUND|EAI_\w+|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|ERR_TLS_\w+|\w+_CERT\w*|ERR_SSL_\w+)$/.test(
    codeOf(error),
  )
