/** Two years of orders before the story, as if imported from a former portal. All have ended. */
import pg from 'pg'
import { chance } from './habits.ts'
import { FIRST_DAY, momentOf } from './organisation/calendar.ts'
import { departed, people } from './organisation/organisation.ts'
import { services } from './services.ts'

/** Working days before the story. */
const DAYS = 500
const MINUTE_MS = 60_000
const PER_THOUSAND = 1000

/** For each service, the orders on a usual day, in tenths of an order, and the time that an order takes, in percent of its target. */
const habits: Record<string, { perDay: number; pace: number }> = {
  coffee: { perDay: 38, pace: 45 },
  tea: { perDay: 30, pace: 40 },
  water: { perDay: 14, pace: 50 },
  guests: { perDay: 9, pace: 60 },
  printing: { perDay: 17, pace: 65 },
  cleaning: { perDay: 6, pace: 55 },
  stationery: { perDay: 10, pace: 60 },
  repair: { perDay: 8, pace: 80 },
}

interface Past {
  service: number
  user: number
  assignee: number | null
  placed: string
  received: string | null
  completed: string | null
  ended: string
  status: 'completed' | 'cancelled'
  toReceive: number | null
  toComplete: number | null
  inTime: [boolean | null, boolean | null]
}

type Ids = Record<'users' | 'services', Map<string, number>>

/** The number of orders on a day: more early in the week, fewer in summer, and some more each year. */
function orderCount(key: string, day: number, at: Date) {
  const { perDay } = habits[key]!
  const season = [6, 7].includes(at.getMonth()) ? 70 : 100
  const weekday = [110, 105, 100, 100, 85][at.getDay()] ?? 100
  const growth = 80 + ((day + DAYS) * 30) / DAYS
  const expected = (perDay * season * weekday * growth) / 10 ** 7
  return Math.floor(expected + chance(day * 131 + key.length * 977 + 70_001, PER_THOUSAND) / PER_THOUSAND)
}

/** A duration in minutes: mostly well within its target, now and then far beyond it. */
function minutesFor(seed: number, target: number, pace: number) {
  const luck = chance(seed, PER_THOUSAND) / PER_THOUSAND
  return Math.max(1, Math.round((target * pace * (0.3 + luck + 2.5 * luck ** 8)) / 100))
}

function pastOf(ids: Ids, now: Date): Past[] {
  const there = people.filter(({ joined, username }) => joined === FIRST_DAY && !departed.includes(username))
  const receivers = there.filter(({ roles }) => roles.includes('order_receiver'))
  const all: Past[] = []
  for (let day = -DAYS; day < 0; day++) {
    const opens = momentOf(FIRST_DAY + day, '08:00', now)
    for (const [place, { key, minutes }] of services.entries()) {
      if (!minutes || !habits[key] || !ids.services.has(key)) continue
      for (let nth = orderCount(key, day, new Date(opens)); nth > 0; nth--) {
        const seed = (day + DAYS) * 9973 + place * 613 + nth * 37 + 1
        // Nothing is placed in the last half hour of a working day.
        const at = opens + chance(seed, 450) * MINUTE_MS
        const { pace } = habits[key]!
        const toReceive = minutesFor(seed + 11, minutes[0], pace)
        const toComplete = toReceive + minutesFor(seed + 23, minutes[1], pace)
        const isCancelled = chance(seed + 5, 100) < 6
        const iso = (afterMinutes: number) => new Date(at + afterMinutes * MINUTE_MS).toISOString()
        all.push({
          service: ids.services.get(key)!,
          user: ids.users.get(there[chance(seed + 3, there.length)]!.username)!,
          assignee: isCancelled ? null : ids.users.get(receivers[chance(seed + 7, receivers.length)]!.username)!,
          placed: iso(0),
          received: isCancelled ? null : iso(toReceive),
          completed: isCancelled ? null : iso(toComplete),
          ended: iso(isCancelled ? 3 : toComplete),
          status: isCancelled ? 'cancelled' : 'completed',
          ...(isCancelled
            ? { toReceive: null, toComplete: null, inTime: [null, null] }
            : { toReceive, toComplete, inTime: [toReceive < minutes[0], toComplete < minutes[1]] }),
        })
      }
    }
  }
  return all.toSorted((one, other) => one.placed.localeCompare(other.placed))
}

/** Calendars have no spans in the past, so the figures are inserted instead of counted. Each order has its row in the ledger. */
const ADD = `
  with line as (
      select * from json_to_recordset($1::json) as line (service int, "user" int, assignee int, placed timestamptz, received timestamptz,
        completed timestamptz, ended timestamptz, status text, "toReceive" int, "toComplete" int, "inTime" json)),
    chosen as materialized (
      select nextval('orders_id_seq')::int as id, line.* from (select * from line order by placed) as line),
    added as (
      insert into orders (id, service_id, user_id, assigned_to, status, created_at, updated_at, cancelled_at) overriding system value
      select id, service, "user", assignee, status, placed, ended, case status when 'cancelled' then ended end from chosen returning id),
    counted as (
      insert into order_figures (order_id, service_id, day, status, received_at, completed_at, receive_time, complete_time, received_in_time,
        completed_in_time)
      select id, service, office_day(placed), status, received, completed, "toReceive" * 60000000::bigint, "toComplete" * 60000000::bigint,
        ("inTime" ->> 0)::boolean, ("inTime" ->> 1)::boolean from chosen)
  insert into ledger (kind, target_type, target_id, facts) select 'demo.dated', 'order', id, '{}'::jsonb from added`

/** Adds the orders, whose numbers come before those of the story. */
export async function addPastOrders(connection: pg.PoolConfig, ids: Ids, now = new Date()) {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await client.query(ADD, [JSON.stringify(pastOf(ids, now))])
  } finally {
    await client.end()
  }
}
