/** How often something may be tried; counted in the database, so that every instance counts together. */
import { hash } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import type pg from 'pg'
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import { Refusal, type RefusalCode, refuse } from './refusal.ts'

const HOUR = 3600

/** `points` tries in `duration` seconds; with `counts`, only the tries that end in that refusal. */
const rules: Record<LimitRule, { points: number; duration: number; counts?: RefusalCode }> = {
  login_account: { points: 10, duration: HOUR / 4, counts: 'invalid_credentials' },
  login_address: { points: 100, duration: HOUR / 4, counts: 'invalid_credentials' },
  own_password: { points: 10, duration: HOUR / 4, counts: 'invalid_password' },
  forgot_identifier: { points: 5, duration: HOUR },
  forgot_address: { points: 300, duration: HOUR },
  register_address: { points: 300, duration: HOUR },
}
export type LimitRule = 'login_account' | 'login_address' | 'own_password' | 'forgot_identifier' | 'forgot_address' | 'register_address'
export interface Limit {
  rule: LimitRule
  key: string
}

/** What one sender can hardly change of its address: the whole of an IPv4 one, the network of an IPv6 one. */
export function networkOf(address: string) {
  if (!ipaddr.isValid(address)) return address
  const ip = ipaddr.process(address)
  return ip.kind() === 'ipv4' ? ip.toString() : ip.toByteArray().slice(0, 8).join('.')
}

/** The tries of one key under way at this instance, and those that wait for one of them to end. */
interface Turns {
  users: number
  underWay: number
  /** Moves whenever a try is given back: a verdict from before that is reached anew. */
  givenBack: number
  waiting: ((isHandedOn: boolean) => void)[]
}

/**
 * `within(limits, work)` takes a try of every limit before the work begins, so that parallel tries cannot slip past, and gives
 * it back when the work ends in anything the rule does not count. While tries under way may still be given back, a full
 * counter is no verdict yet: the next ones wait, and are handed a try that is not used up. Refuses `rate_limited` with `Retry-After`.
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
  const known = new Map<string, Turns>()

  async function take({ rule, key }: Limit, turns: Turns) {
    const limiter = limiters[rule]!
    for (;;) {
      const { givenBack } = turns
      const blocked = await limiter.consume(key).then(() => null, blockedFor)
      if (blocked === null) {
        turns.underWay++
        return
      }
      await limiter.reward(key)
      const isVerdict = () => turns.givenBack === givenBack
      if (isVerdict() && turns.underWay > 0 && (await new Promise<boolean>((resolve) => turns.waiting.push(resolve)))) return
      if (isVerdict()) refuse('rate_limited', { retryAfter: Math.max(1, Math.ceil(blocked / 1000)) })
    }
  }

  async function giveBack({ rule, key }: Limit, turns: Turns) {
    const next = turns.waiting.shift()
    if (next) {
      turns.underWay++
      return next(true)
    }
    // A counter that is not lowered only blocks sooner; the answer must not be lost to it.
    await limiters[rule]!.reward(key).catch(() => {})
    turns.givenBack++
  }

  async function takeTurn<T>(limit: Limit, work: () => Promise<T>) {
    const turns = join(limit)
    try {
      await take(limit, turns)
      const turn = work()
      const failure = await turn.then(
        () => null,
        (error: unknown) => error,
      )
      if (!isCounted(limit.rule, failure)) await giveBack(limit, turns)
      turns.underWay--
      if (turns.underWay === 0) for (const next of turns.waiting.splice(0)) next(false)
      return await turn
    } finally {
      leave(limit, turns)
    }
  }

  function join({ rule, key }: Limit) {
    const turns = known.get(`${rule}:${key}`) ?? { users: 0, underWay: 0, givenBack: 0, waiting: [] }
    turns.users++
    known.set(`${rule}:${key}`, turns)
    return turns
  }
  function leave({ rule, key }: Limit, turns: Turns) {
    turns.users--
    if (turns.users === 0) known.delete(`${rule}:${key}`)
  }

  const inTurn = <T>([first, ...rest]: Limit[], work: () => Promise<T>): Promise<T> =>
    first ? takeTurn(first, () => inTurn(rest, work)) : work()

  return {
    within: <T>(limits: Limit[], work: () => Promise<T>) =>
      enabled
        ? inTurn(
            limits.map(({ rule, key }) => ({ rule, key: hash('sha256', key, 'base64url') })),
            work,
          )
        : work(),
    forgetExpired: () => pool.query('delete from rate_limits where expire < $1', [Date.now()]),
  }
}
export type Limits = ReturnType<typeof openLimits>

/** Milliseconds until the next try, from the limiter's refusal. */
function blockedFor(reason: unknown) {
  if (reason instanceof RateLimiterRes) return reason.msBeforeNext
  throw reason
}

/** What happened to a try: one that ended in nothing its rule counts is as if it had not been. */
function isCounted(rule: LimitRule, failure: unknown) {
  const { counts } = rules[rule]
  return counts === undefined || (failure instanceof Refusal && failure.code === counts)
}
