/** Rate limits, counted in the database for all instances together. */
import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import type pg from 'pg'
import { mutex } from '../concurrency.ts'
import type { Tx } from '../database/db.ts'
import { Refusal, type RefusalCode, refuse } from '../errors/refusal.ts'

export interface Rule {
  /** The first part of the stored key. The key of the limit is the second. */
  name: string
  tries: number
  /** How long the window lasts from the first try, in milliseconds. */
  withinMs: number
  /** Counts only tries that end in this refusal; without it, all tries. */
  counts?: RefusalCode
  /** The text of the refusal once the limit is used up, in place of the usual one. */
  says?: { en: string; ar: string }
  /** A used-up limit does not refuse: the work still runs, but must have no effect. */
  isSilent?: true
}
export interface Limit {
  rule: Rule
  key: string
}
const storedKey = ({ rule, key }: Limit) => `${rule.name}:${hash('sha256', key, 'base64url')}`

/** The part of an IP address that a sender can hardly change: all of an IPv4 address, the /64 network of an IPv6 address. */
export function networkOf(address: string) {
  if (!ipaddr.isValid(address)) return address
  const ip = ipaddr.process(address)
  return ip.kind() === 'ipv4' ? ip.toString() : ip.toByteArray().slice(0, 8).join('.')
}

// A try is `under_way` until its work ends, and is then `counted` or given back. Both kinds use up the limit until the window expires.

/** Takes a try in the current window or a new one; returns no row when the limit is used up. */
const TAKE = {
  name: 'limit_take',
  text: `
    insert into rate_limits as present (key, counted, under_way, expires_at) values ($1, 0, 1, now() + $3 * interval '1 ms')
    on conflict (key) do update set
      counted = case when present.expires_at > now() then present.counted else 0 end,
      under_way = case when present.expires_at > now() then present.under_way + 1 else 1 end,
      expires_at = case when present.expires_at > now() then present.expires_at else excluded.expires_at end
    where present.expires_at <= now() or present.counted + present.under_way < $2
    returning expires_at::text as window`,
}
/** Finds the limit if it is used up. Its `state` changes whenever a try begins or ends. */
const FIND_USED_UP = {
  name: 'limit_find_used_up',
  text: `
    select under_way as "underWay", xmin::text as state, ceil(extract(epoch from expires_at - now()))::int as "secondsLeft" from rate_limits
    where key = $1 and expires_at > now() and counted + under_way >= $2`,
}
interface UsedUp {
  underWay: number
  state: string
  secondsLeft: number
}
/** Ends a try. If its window has expired, this changes nothing: the next window counts anew. */
const END = {
  name: 'limit_end',
  text: `
    update rate_limits set under_way = under_way - 1, counted = counted + case when $3::boolean then 1 else 0 end
    where key = $1 and expires_at = $2::timestamptz`,
}

const LOOK_AGAIN_MS = 100
/** After this many polls without a change, another instance's tries are given up: about 5 s, more on a busy machine. */
const MOST_LOOKS = 50
const MOST_GIVEN_UP = 10_000

/**
 * `within(limits, work)` takes a try of every limit before the work begins, so that parallel tries cannot exceed it. It gives the try back
 * if the work ends in a way that the rule does not count. While running tries, here or at another instance, may still be given back, the
 * next try waits. Refuses `rate_limited` with `Retry-After`; tells `work` whether a silent limit is used up.
 */
export function openLimits(pool: pg.Pool, enabled: boolean) {
  /** Within an instance, the tries of a key are taken one at a time, so that at most one of them polls. */
  const inOrder = mutex<string>()
  const waiting = new Map<string, () => void>()
  /** The running tries of each key in this process. They always end, so waiting for them needs no deadline. */
  const here = new Map<string, number>()
  /** The last states of limits whose tries were left unfinished by dead instances. */
  const givenUp = new LRUCache<string, string>({ max: MOST_GIVEN_UP })

  /** Waits until a try of the key ends in this process, but at most briefly: then the caller polls for tries of other instances. */
  async function nextEnd(key: string) {
    const { promise, resolve } = Promise.withResolvers<void>()
    waiting.set(key, resolve)
    await Promise.race([promise, sleep(LOOK_AGAIN_MS)])
    waiting.delete(key)
  }

  /** Returns the window in which the try is counted, or the used-up limit. */
  async function take(key: string, { tries, withinMs }: Rule): Promise<{ window: string } | UsedUp> {
    let last = ''
    for (let looks = 0; ; looks++) {
      const taken = await pool.query<{ window: string }>({ ...TAKE, values: [key, tries, withinMs] })
      if (taken.rows[0]) return taken.rows[0]
      const found = await pool.query<UsedUp>({ ...FIND_USED_UP, values: [key, tries] })
      const usedUp = found.rows[0]
      if (!usedUp) continue
      if (usedUp.underWay === 0 || givenUp.get(key) === usedUp.state) return usedUp
      if (here.has(key) || usedUp.state !== last) looks = 0
      else if (looks >= MOST_LOOKS) givenUp.set(key, usedUp.state)
      last = usedUp.state
      await nextEnd(key)
    }
  }

  async function end(key: string, window: string, counts: boolean) {
    // If this fails, the count stays too high, which only blocks sooner. The caller must get the answer all the same.
    await pool.query({ ...END, values: [key, window, counts] }).catch(() => {})
    const left = here.get(key)! - 1
    if (left) here.set(key, left)
    else here.delete(key)
    waiting.get(key)?.()
  }

  async function withinOne<T>(limit: Limit, work: (isSpent: boolean) => Promise<T>): Promise<T> {
    const { rule } = limit
    const key = storedKey(limit)
    const taken = await inOrder(key, async () => {
      const outcome = await take(key, rule)
      if ('window' in outcome) here.set(key, (here.get(key) ?? 0) + 1)
      return outcome
    })
    if (!('window' in taken))
      return rule.isSilent ? work(true) : refuse('rate_limited', { retryAfter: taken.secondsLeft, ...textsOf(rule) })
    const outcome = work(false)
    const failure = await outcome.then(
      () => null,
      (error: unknown) => error,
    )
    await end(key, taken.window, isCounted(rule, failure))
    return outcome
  }

  async function within<T>([limit, ...others]: Limit[], work: (isSpent: boolean) => Promise<T>, wasSpent = false): Promise<T> {
    return limit ? withinOne(limit, (isSpent) => within(others, work, wasSpent || isSpent)) : work(wasSpent)
  }

  return {
    within: <T>(limits: Limit[], work: (isSpent: boolean) => Promise<T>) => (enabled ? within(limits, work) : work(false)),
  }
}
export type Limits = ReturnType<typeof openLimits>

const textsOf = ({ says }: Rule) => says && { body: { error: says.en, messageEn: says.en, messageAr: says.ar } }

const isCounted = ({ counts }: Rule, failure: unknown) =>
  counts === undefined || (failure instanceof Refusal && failure.code === counts && !failure.extras.isUncounted)

/** Resets these limits when the transaction commits. */
export const freeLimits = (tx: Tx, limits: Limit[]) => tx.deleteFrom('rateLimits').where('key', 'in', limits.map(storedKey)).execute()
