/**
 * Logs security events under `security`: at most 100 lines in any second, half of which are reserved for changes and for networks without a
 * line in the last second.
 */
import { createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { networkOf } from './auth/limits.ts'
import type { Author } from './changes/change-kind.ts'
import { type Refusal, type RefusalCode, refusalStatus } from './errors/refusal.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The field of the body in which a caller without a session gives their name. */
    nameIn?: string
  }
}

/** The maximum number of lines of all processes together, in any second. */
const MOST_A_SECOND = 100
/**
 * The maximum number of these lines about calls from networks that already have a line within the last second. The other lines are for
 * changes and new networks.
 */
const MOST_OF_HEARD = 50
const MOST_OF_NETWORK = 20
const MOST_OF_PAIR = 10
const SECOND_MS = 1000
/**
 * The maximum number of pairs of an event and a network whose left-out lines are counted separately; further ones are counted by event.
 * From this number of limits on, limits without a line in the last second are dropped.
 */
const MOST_SHARES = 1000

/** Refusals that are logged, besides every `forbidden`. */
const watchedRefusals: ReadonlySet<RefusalCode> = new Set([
  'invalid_credentials',
  'invalid_factor',
  'invalid_password',
  'invalid_token',
  'rate_limited',
])

interface Change {
  kind: string
  targetId: number
  facts: unknown
  author?: Author
}

/** Counts the lines of the last second. The counter is full while there are `most` lines. */
function openSecond(most: number) {
  /** When the last lines were written, by a monotonic clock. */
  const written: number[] = Array(most).fill(Number.NEGATIVE_INFINITY)
  let place = 0
  let newest = Number.NEGATIVE_INFINITY
  return {
    isFull: () => performance.now() - written[place]! < SECOND_MS,
    isOver: () => performance.now() - newest >= SECOND_MS,
    count() {
      newest = written[place] = performance.now()
      place = (place + 1) % most
    },
  }
}

/** A line of the log, in the form in which the audit stream also stores it. */
export interface SecurityEvent {
  at: Date
  event: string
  actorId: number | null
  targetType: string | null
  targetId: number | null
  ip: string | null
  /**
   * Whether the line reports a refusal, an answer that was cut off, a failed attempt to sign in, left-out lines, or a change whose kind is
   * marked as a warning.
   */
  isWarning: boolean
  /** The fields of the line except `event`. */
  fields: Record<string, unknown>
}
type About = Partial<Pick<SecurityEvent, 'actorId' | 'targetType' | 'targetId' | 'isWarning'>>

/** A kind of change that is logged: the type of its targets, and whether it is a warning. */
export type WatchedKind = Pick<SecurityEvent, 'isWarning'> & { targetType: string }

interface LeftOut {
  of: string
  network: string | undefined
  count: number
}

/**
 * Logs refused requests and committed changes of the watched kinds, with ids, addresses and codes. A name that somebody sent is logged as a
 * keyed hash, so that lines about the same name can be matched, and no name can be read. Lines beyond the limits are only counted; lines
 * about calls are counted by event and network. Each process may write an equal part of the lines. `keep` gets every line that is written.
 */
export function openSecurityLog(
  log: Logger,
  key: Buffer | string,
  watchedKinds: ReadonlyMap<string, WatchedKind>,
  processes = 1,
  keep: (event: SecurityEvent) => void = () => {},
) {
  const security = log.child({ part: 'security' })
  const partOf = (most: number) => Math.max(1, Math.floor(most / processes))
  const all = openSecond(partOf(MOST_A_SECOND))
  const heard = openSecond(partOf(MOST_OF_HEARD))
  /** Limits the lines that report left-out lines, so that these reports do not fill the log themselves. */
  const reports = openSecond(partOf(MOST_OF_PAIR))
  const shares = new Map<string, ReturnType<typeof openSecond>>()
  const leftOut = new Map<string, LeftOut>()
  /** Reports left-out lines even if no further line comes. */
  let reporting: NodeJS.Timeout | undefined

  function write(level: 'info' | 'warn', event: string, fields: Record<string, unknown>, about: About = {}) {
    security[level]({ event, ...fields }, 'security')
    const ip = typeof fields['ip'] === 'string' ? fields['ip'] : null
    keep({ at: new Date(), event, actorId: null, targetType: null, targetId: null, isWarning: false, ...about, ip, fields })
  }
  function leaveOut(pair: string, of: string, network?: string) {
    const isKnown = leftOut.has(pair) || leftOut.size < MOST_SHARES
    const known = leftOut.get(isKnown ? pair : of) ?? { of, network: isKnown ? network : undefined, count: 0 }
    known.count++
    leftOut.set(isKnown ? pair : of, known)
    reportSoon()
  }
  function reportSoon() {
    reporting ??= setTimeout(() => {
      reporting = undefined
      tellLeftOut()
      if (leftOut.size > 0) reportSoon()
    }, SECOND_MS).unref()
  }
  const tell = (one: LeftOut) => write('warn', 'left_out', { ...one }, { isWarning: true })
  /** Before the next line about a call, or after a second, reports the left-out lines of each event and network whose share has room again. */
  function tellLeftOut() {
    for (const [pair, one] of leftOut) {
      if (all.isFull() || reports.isFull()) return
      const share = shares.get(pair)
      if (share?.isFull()) continue
      leftOut.delete(pair)
      for (const limit of [all, reports, share]) limit?.count()
      tell(one)
    }
  }
  function shareOf(key: string, most: number) {
    const share = shares.get(key) ?? openSecond(partOf(most))
    shares.set(key, share)
    return share
  }

  /** Logs a line about a call if the limits allow it; otherwise counts it as left out. */
  function note(event: string, fields: Record<string, unknown> & { ip: string }, about?: About) {
    const network = networkOf(fields.ip)
    const pair = `${event} ${network}`
    if (shares.size >= MOST_SHARES) for (const [other, share] of shares) if (share.isOver()) shares.delete(other)
    const own = shareOf(network, MOST_OF_NETWORK)
    const limits = [all, own, shareOf(pair, MOST_OF_PAIR), ...(own.isOver() ? [] : [heard])]
    const isFull = () => limits.some((limit) => limit.isFull())
    if (!isFull()) tellLeftOut()
    if (isFull()) return leaveOut(pair, event, network)
    for (const limit of limits) limit.count()
    write('info', event, fields, { ...about, isWarning: true })
  }

  function hashOf(name: unknown) {
    return typeof name === 'string' ? createHmac('sha256', key).update(name.toLowerCase()).digest('base64url').slice(0, 22) : undefined
  }

  return {
    noteRefusal(refusal: Refusal, { id, method, routeOptions, ip, caller, body }: FastifyRequest) {
      if (refusalStatus(refusal) !== 403 && !watchedRefusals.has(refusal.code)) return
      const { nameIn } = routeOptions.config
      const name = nameIn && hashOf((body as Record<string, unknown> | undefined)?.[nameIn])
      const { event, user } = refusal.extras.logged ?? { event: refusal.code, user: caller?.actor.id }
      note(event, { reqId: id, method, route: routeOptions.url, ip, user, name }, { actorId: user ?? null })
    },
    noteCut({ id, method, routeOptions, ip, caller }: FastifyRequest) {
      const user = caller?.actor.id
      note('cut', { reqId: id, method, route: routeOptions.url, ip, user }, { actorId: user ?? null })
    },
    /** Logs a failed attempt to sign in with a provider. */
    noteFailedAttempt(fields: Record<string, unknown> & { ip: string }) {
      note('sso_failed', fields)
    },
    noteChanges(author: Author, changes: readonly Change[]) {
      for (const { kind, targetId, facts, author: own = author } of changes) {
        const watched = watchedKinds.get(kind)
        if (!watched) continue
        const { reason, sessionIds } = facts as { reason?: string; sessionIds?: number[] }
        if (sessionIds?.length === 0) continue
        const fields = { user: targetId, by: own?.id, reason, sessions: sessionIds?.length }
        if (all.isFull()) leaveOut(kind, kind)
        else {
          all.count()
          write('info', kind, fields, { ...watched, actorId: own?.id ?? null, targetId })
        }
      }
    },
    /** Reports all lines that are still left out; if there are many reports, one for each event. */
    close() {
      clearTimeout(reporting)
      const left = [...leftOut.values()]
      leftOut.clear()
      const byEvent = () => [...Map.groupBy(left, ({ of }) => of)].map(([of, some]) => ({ of, network: undefined, count: sum(some) }))
      for (const one of left.length > MOST_OF_PAIR ? byEvent() : left) tell(one)
    },
  }
}
const sum = (some: LeftOut[]) => some.reduce((total, { count }) => total + count, 0)
export type SecurityLog = ReturnType<typeof openSecurityLog>
