/** Logs security events under `security`, at most 100 lines in any second. */
import { createHmac } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Author } from './changes/change-kind.ts'
import { type Refusal, type RefusalCode, refusalStatus } from './errors/refusal.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The field of the body in which a caller without a session says who they are. */
    nameIn?: string
  }
}

/** The most lines of all processes together, in any second. */
const MOST_A_SECOND = 100
const SECOND_MS = 1000

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

/**
 * Logs refused requests and committed changes of the watched kinds, with ids, addresses and codes. A name that somebody sent is logged as a
 * keyed hash, so that lines about the same name can be matched, and no name can be read. Lines beyond the limit are counted. Each process
 * has its part of the lines.
 */
export function openSecurityLog(log: Logger, key: Buffer | string, watchedKinds: ReadonlySet<string>, processes = 1) {
  const security = log.child({ part: 'security' })
  const most = Math.max(1, Math.floor(MOST_A_SECOND / processes))
  /** When the last lines were written, by a monotonic clock. */
  const written: number[] = Array(most).fill(Number.NEGATIVE_INFINITY)
  let place = 0
  let leftOut = 0

  function write(level: 'info' | 'warn', fields: Record<string, unknown>) {
    security[level](fields, 'security')
    written[place] = performance.now()
    place = (place + 1) % most
  }
  // Full while the hundredth line before this one is younger than a second, so that no second has more than a hundred lines.
  const isFull = () => performance.now() - written[place]! < SECOND_MS

  function note(event: string, fields: Record<string, unknown>) {
    if (isFull()) return void leftOut++
    if (leftOut) {
      write('warn', { event: 'left_out', count: leftOut })
      leftOut = isFull() ? 1 : 0
      if (leftOut) return
    }
    write('info', { event, ...fields })
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
      note(event, { reqId: id, method, route: routeOptions.url, ip, user, name })
    },
    noteCut({ id, method, routeOptions, ip, caller }: FastifyRequest) {
      note('cut', { reqId: id, method, route: routeOptions.url, ip, user: caller?.actor.id })
    },
    /** Someone failed to sign in with a provider. */
    noteFailedAttempt(fields: Record<string, unknown>) {
      note('sso_failed', fields)
    },
    noteChanges(author: Author, changes: readonly Change[]) {
      for (const { kind, targetId, facts, author: own = author } of changes) {
        if (!watchedKinds.has(kind)) continue
        const { reason, sessionIds } = facts as { reason?: string; sessionIds?: number[] }
        if (sessionIds?.length === 0) continue
        note(kind, { user: targetId, by: own?.id, reason, sessions: sessionIds?.length })
      }
    },
  }
}
export type SecurityLog = ReturnType<typeof openSecurityLog>
