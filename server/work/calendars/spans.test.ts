/** The spans of working hours in real time, compared with the clocks of the time zone. */
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { sql } from 'kysely'
import { testPortal } from '../../../test/portal.ts'
import { scale } from '../../../test/suite.ts'
import { startOfDay } from '../../platform/days.ts'

const portal = testPortal()
beforeEach(() => portal.ready)

const day = (...hours: string[]) => hours.map((span) => ({ from: span.slice(0, 5), to: span.slice(6) }))
const week = (...hours: string[]) => Array.from({ length: 7 }, () => day(...hours))
const office = [...Array.from({ length: 5 }, () => day('08:00-16:00')), [], []]
const calendars = {
  office: { weekly: office },
  // Hours around the moments at which clocks change.
  night: { weekly: week('00:00-00:40', '01:30-02:15', '02:20-04:00', '23:20-24:00') },
  always: { weekly: week('00:00-24:00') },
  ramadan: {
    weekly: office,
    periods: [{ from: '2026-10-01', to: '2026-11-02', weekly: week('09:30-14:00', '22:00-24:00') }],
    daysOff: [{ date: '2026-10-30' }, { date: '2027-03-28' }],
  },
  split: { weekly: [day('07:45-12:15', '13:00-17:30'), ...office.slice(1)] },
}
const zones = ['Africa/Cairo', 'Asia/Beirut', 'Europe/London', 'UTC', 'America/St_Johns', 'Australia/Lord_Howe', 'Asia/Riyadh'] as const

/** The moments, tried every ten minutes, at which the spans and the wall clock differ. */
const differing = (zone: string, calendar: object) => sql<{ at: Date }>`
  with given as (
      select ${JSON.stringify({ periods: [], daysOff: [], ...calendar })}::jsonb as calendar, '2026-03-01 00:07+00'::timestamptz as since),
    span as materialized (
      select laid.* from given, laid_out(calendar -> 'weekly', calendar -> 'periods', calendar -> 'daysOff', ${zone}, since, '2027-04-10') as laid),
    tick as (
      select at, at at time zone ${zone} as wall from given, generate_series(since, since + interval '390 days', interval '10 minutes') as at),
    working as (
      select at, exists (
          select from jsonb_array_elements(coalesce(
            (select period -> 'weekly' from jsonb_array_elements(calendar -> 'periods') as period
              where wall::date between (period ->> 'from')::date and (period ->> 'to')::date),
            calendar -> 'weekly') -> extract(dow from wall)::int) as hours
          where wall::time >= (hours ->> 'from')::time and (hours ->> 'to' = '24:00' or wall::time < (hours ->> 'to')::time))
        and not exists (select from jsonb_array_elements(calendar -> 'daysOff') as off where (off ->> 'date')::date = wall::date) as by_wall
      from tick, given),
    edge as (
      select at, by_wall, max(starts_at) over (order by at, kind) as starts_at, max(ends_at) over (order by at, kind) as ends_at, kind
      from (select at, by_wall, null::timestamptz as starts_at, null::timestamptz as ends_at, 1 as kind from working
        union all select starts_at, null, starts_at, ends_at, 0 from span) as events)
  select at from edge where kind = 1 and by_wall <> coalesce(at < ends_at, false) order by at limit 3`

for (const zone of zones.slice(0, scale(2, zones.length)))
  for (const [name, calendar] of Object.entries(calendars))
    test(`the hours of ${zone} follow the wall clock for a year (${name})`, async () => {
      const { rows } = await differing(zone, calendar).execute(portal.instance.db.writes)
      assert.deepEqual(rows, [])
    })

test('hours that begin within a repeated hour make two spans, and hours around it one', async () => {
  const { rows } = await sql<{ startsAt: Date; endsAt: Date }>`
    select * from laid_out(${JSON.stringify([day('01:30-03:00', '00:00-01:10'), [], [], [], [], [], []])}::jsonb, '[]', '[]', 'Europe/London',
      '2026-10-24 12:00+00', '2026-10-25')`.execute(portal.instance.db.writes)
  assert.deepEqual(
    rows.map(({ startsAt, endsAt }) => `${startsAt.toISOString().slice(11, 16)}-${endsAt.toISOString().slice(11, 16)}`),
    // 00:00-01:10 by summer time; the clock goes from 02:00 back to 01:00 at 01:00 UTC.
    ['23:00-00:10', '00:30-01:00', '01:00-01:10', '01:30-03:00'],
  )
})

const DAY_MS = 24 * 3600 * 1000
for (const zone of ['Atlantic/Azores', 'America/Havana', 'America/Nuuk', 'Africa/Cairo', 'Asia/Beirut', 'Australia/Lord_Howe', 'UTC'])
  test(`a day of ${zone} ends where the next one begins, even if that midnight comes twice or not at all`, async () => {
    assert.equal((await portal.admin.patch('/settings', { timeZone: zone })).status, 200)
    const rows = await portal.sql<{ day: string; at: Date }>(`
      select day::date::text as day, end_of_day(day::date) as at
      from generate_series('2026-01-01'::timestamp, '2026-12-31', '1 day') as day`)
    const nextOf = (day: string) => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10)
    assert.deepEqual(
      rows.filter(({ day, at }) => at.getTime() !== startOfDay(nextOf(day), zone).getTime()),
      [],
    )
  })
