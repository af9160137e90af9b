/** How often something may be tried; counted in the database, so that every instance counts together. */
import { hash } from 'node:crypto'
import type pg from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { refuse } from './refusal.ts'

const HOUR = 3600

/** `points` in `duration` seconds. `failures`: what succeeds is not counted. */
const rules = {
  login_account: { points: 10, duration: HOUR / 4, counts: 'failures' },
  login_address: { points: 100, duration: HOUR / 4, counts: 'failures' },
  forgot_identifier: { points: 5, duration: HOUR, counts: 'tries' },
  forgot_address: { points: 300, duration: HOUR, counts: 'tries' },
  reset_address: { points: 100, duration: HOUR, counts: 'failures' },
  register_address: { points: 300, duration: HOUR, counts: 'tries' },
} as const
export type LimitRule = keyof typeof rules
export interface Limit {
  rule: LimitRule
  key: string
}

/**
 * `within(limits, work)` counts a try against every limit first, so that parallel tries cannot slip past, and gives it back
 * when the work succeeds and only failures count. Refuses `rate_limited` with `Retry-After`.
 */
export function openLimits(pool: pg.Pool, enabled: boolean) {
  const limiters = Object.fromEntries(
    Object.entries(rules).map(([rule, { points, duration }]) => [
      rule,
      new RateLimiterPostgres({
        storeClient: pool,
        storeType: 'pool',
        tableName: 'rate_limits',
        tableCreated: true,
        clearExpiredByTimeout: false,
        keyPrefix: rule,
        points,
        duration,
      }),
    ]),
  )
  /** Tries under way here: while one may still be given back, a full counter is no verdict. */
  const underWay = new Map<string, Set<Promise<unknown>>>()

  async function take({ rule, key }: Limit) {
    for (;;) {
      try {
        await limiters[rule]!.consume(key)
        return
      } catch (reason) {
        if (!(reason instanceof RateLimiterRes)) throw reason
        const others = underWay.get(`${rule}:${key}`)
        if (!others?.size) return refuse('rate_limited', { retryAfter: Math.max(1, Math.ceil(reason.msBeforeNext / 1000)) })
        await limiters[rule]!.reward(key)
        await Promise.race(others)
      }
    }
  }

  async function takeTurn<T>(limit: Limit, work: () => Promise<T>): Promise<T> {
    const id = `${limit.rule}:${limit.key}`
    await take(limit)
    const turn = (async () => {
      const answer = await work()
      if (rules[limit.rule].counts === 'failures') await limiters[limit.rule]!.reward(limit.key)
      return answer
    })()
    const settled = turn.catch(() => {})
    const turns = underWay.get(id) ?? new Set()
    underWay.set(id, turns.add(settled))
    settled.then(() => {
      turns.delete(settled)
      if (turns.size === 0) underWay.delete(id)
    })
    return turn
  }

  const inTurn = <T>([first, ...rest]: Limit[], work: () => Promise<T>): Promise<T> =>
    first ? takeTurn(first, () => inTurn(rest, work)) : work()

  return {
    within: <T>(limits: Limit[], work: () => Promise<T>) =>
      enabled ? inTurn(limits.map(({ rule, key }) => ({ rule, key: hash('sha256', key, 'base64url') })), work) : work(),
    forgetExpired: () => pool.query('delete from rate_limits where expire < $1', [Date.now()]),
  }
}
export type Limits = ReturnType<typeof openLimits>
