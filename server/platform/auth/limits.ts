/** How often something may be tried; counted in the database, so that every instance counts together. */
import { hash } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import type pg from 'pg'
import { Refusal, type RefusalCode, refuse } from '../refusal.ts'

const HOUR_MS = 3_600_000

interface Rule {
  tries: number
  /** From the first try. */
  withinMs: number
  /** Only tries that end in this refusal are counted; all, where it is absent. */
  counts?: RefusalCode
}
const rules = {
  login_account: { tries: 10, withinMs: HOUR_MS / 4, counts: 'invalid_credentials' },
  login_address: { tries: 100, withinMs: HOUR_MS / 4, counts: 'invalid_credentials' },
  own_password: { tries: 10, withinMs: HOUR_MS / 4, counts: 'invalid_password' },
  forgot_identifier: { tries: 5, withinMs: HOUR_MS },
  forgot_address: { tries: 300, withinMs: HOUR_MS },
  register_address: { tries: 300, withinMs: HOUR_MS },
} as const satisfies Record<string, Rule>
export interface Limit {
  rule: keyof typeof rules
  key: string
}

/** What one sender can hardly change of its address: the whole of an IPv4 one, the network of an IPv6 one. */
export function networkOf(address: string) {
  if (!ipaddr.isValid(address)) return address
  const ip = ipaddr.process(address)
  return ip.kind() === 'ipv4' ? ip.toString() : ip.toByteArray().slice(0, 8).join('.')
}

// One number holds both counts, so that one statement judges and moves them: each try under way adds this much besides itself.
const UNDER_WAY = 100_000
const NOW = '(extract(epoch from now()) * 1000)::bigint'

const TAKE = {
  name: 'limit_take',
  text: `
    insert into rate_limits as old (key, points, expire) values ($1, ${UNDER_WAY + 1}, ${NOW} + $3)
    on conflict (key) do update set
      points = case when old.expire <= ${NOW} then excluded.points else old.points + excluded.points end,
      expire = case when old.expire <= ${NOW} then excluded.expire else old.expire end
    where old.expire <= ${NOW} or old.points % ${UNDER_WAY} < $2
    returning expire`,
}
const LOOK = {
  name: 'limit_look',
  text: `select points >= ${UNDER_WAY} as "isUnderWay", expire - ${NOW} as "msLeft" from rate_limits
    where key = $1 and points % ${UNDER_WAY} >= $2 and expire > ${NOW}`,
}
/** A try that ends after its window has no count there any more. */
const END = { name: 'limit_end', text: 'update rate_limits set points = points - $3 where key = $1 and expire = $2' }

const PATIENCE_MS = 5000
const LOOK_AGAIN_MS = 100

/** The tries of one key at this instance: they are taken one after the other, and the next may wait for one to end. */
interface Line {
  members: number
  last: Promise<unknown>
  wake: () => void
}

/**
 * `within(limits, work)` takes a try of every limit before the work begins, so that parallel tries cannot slip past, and gives
 * it back when the work ends in anything its rule does not count. A full count is no verdict while tries under way, here or at
 * another instance, may still be given back: the next one waits for them. Refuses `rate_limited` with `Retry-After`.
 */
export function openLimits(pool: pg.Pool, enabled: boolean) {
  const lines = new Map<string, Line>()

  function join(id: string) {
    const line = lines.get(id) ?? { members: 0, last: Promise.resolve(), wake: () => {} }
    line.members++
    lines.set(id, line)
    return line
  }
  function leave(id: string, line: Line) {
    line.members--
    if (line.members === 0) lines.delete(id)
  }

  /** Answers the window in which the try is counted. */
  async function take(id: string, { tries, withinMs }: Rule, line: Line, deadline: number): Promise<number> {
    for (;;) {
      const taken = await pool.query<{ expire: number }>({ ...TAKE, values: [id, tries, withinMs] })
      if (taken.rows[0]) return taken.rows[0].expire
      const full = (await pool.query<{ isUnderWay: boolean; msLeft: number }>({ ...LOOK, values: [id, tries] })).rows[0]
      if (!full) continue
      if (!full.isUnderWay || performance.now() > deadline) refuse('rate_limited', { retryAfter: Math.ceil(full.msLeft / 1000) })
      await nextEnd(line)
    }
  }

  async function inTurn<T>([limit, ...rest]: Limit[], work: () => Promise<T>): Promise<T> {
    if (!limit) return work()
    const rule: Rule = rules[limit.rule]
    const id = `${limit.rule}:${hash('sha256', limit.key, 'base64url')}`
    const line = join(id)
    const deadline = performance.now() + PATIENCE_MS
    try {
      const window = await inLine(line, () => take(id, rule, line, deadline))
      const turn = inTurn(rest, work)
      const failure = await turn.then(
        () => null,
        (error: unknown) => error,
      )
      const used = isCounted(rule, failure) ? UNDER_WAY : UNDER_WAY + 1
      // A count that stays too high only blocks sooner; the answer must not be lost to it.
      await pool.query({ ...END, values: [id, window, used] }).catch(() => {})
      line.wake()
      return await turn
    } finally {
      leave(id, line)
    }
  }

  return {
    within: <T>(limits: Limit[], work: () => Promise<T>) => (enabled ? inTurn(limits, work) : work()),
    forgetExpired: () => pool.query(`delete from rate_limits where expire <= ${NOW}`),
  }
}
export type Limits = ReturnType<typeof openLimits>

function inLine<T>(line: Line, act: () => Promise<T>) {
  const mine = line.last.then(act)
  line.last = mine.catch(() => {})
  return mine
}

/** Until a try ends here; one that ends elsewhere is looked for. */
const nextEnd = (line: Line) =>
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, LOOK_AGAIN_MS)
    line.wake = () => {
      clearTimeout(timer)
      resolve()
    }
  })

const isCounted = ({ counts }: Rule, failure: unknown) => counts === undefined || (failure instanceof Refusal && failure.code === counts)
