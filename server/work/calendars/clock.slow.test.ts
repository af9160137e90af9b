/** The clock of working time through changes of calendar and time zone, compared with a count of minutes by the wall clock. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { testPortal } from '../../../test/portal.ts'
import { generated } from '../../../test/suite.ts'
import type { Tx } from '../../platform/database/db.ts'

const portal = testPortal()
const MINUTE_MS = 60_000
/** A moment before the clocks of these zones change. It is in the past, so the spans that triggers lay out from now on do not affect it. */
const BEGIN = Date.parse('2026-10-22T00:00:00Z')
const MINUTES = 12 * 24 * 60
const zones = ['Africa/Cairo', 'Asia/Beirut', 'Europe/London', 'Asia/Riyadh', 'Australia/Lord_Howe'] as const
type Zone = (typeof zones)[number]

/** The weekday and the minute of the day at each tested minute, by the wall clock of a zone. */
const walls = new Map<Zone, { day: number; minute: number }[]>()
function wallOf(zone: Zone) {
  const known = walls.get(zone)
  if (known) return known
  const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
  const writer = new Intl.DateTimeFormat('en', { timeZone: zone, weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const made = Array.from({ length: MINUTES }, (_, n) => {
    const parts = Object.fromEntries(writer.formatToParts(BEGIN + n * MINUTE_MS).map(({ type, value }) => [type, value]))
    return { day: days.indexOf(parts['weekday']!), minute: Number(parts['hour']) * 60 + Number(parts['minute']) }
  })
  walls.set(zone, made)
  return made
}

const clock = (minute: number) => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
/** Hours of a day: one span or two, in steps of ten minutes. */
const hours = fc.uniqueArray(fc.integer({ min: 0, max: 144 }), { maxLength: 4 }).map((ends) => {
  const sorted = ends.toSorted((a, b) => a - b)
  return Array.from({ length: sorted.length >> 1 }, (_, n) => ({ from: sorted[2 * n]! * 10, to: sorted[2 * n + 1]! * 10 }))
})
const version = fc.record({
  at: fc.integer({ min: 1, max: MINUTES - 1 }),
  zone: fc.constantFrom(...zones),
  weekly: fc.array(hours, { minLength: 7, maxLength: 7 }),
})
const life = fc.record({ versions: fc.array(version, { minLength: 1, maxLength: 6 }), minutes: fc.integer({ min: 1, max: 3000 }) })

/** Runs `work` in a transaction that is rolled back. */
async function undone(work: (tx: Tx) => Promise<void>) {
  const back = new Error('back')
  await portal.instance.db.writes
    .transaction()
    .execute(async (tx) => {
      await work(tx)
      throw back
    })
    .catch((error) => {
      if (error !== back) throw error
    })
}

test('working time equals the count by the wall clock through changes of hours and time zones', async () => {
  await portal.ready
  const { body: calendar } = await portal.admin.post('/working-calendars', {
    nameAr: 'أ',
    nameEn: 'A',
    weekly: Array.from({ length: 7 }, () => [{ from: '08:00', to: '16:00' }]),
  })
  await fc.assert(
    fc.asyncProperty(life, async ({ versions, minutes }) => {
      const [first, ...later] = versions.toSorted((a, b) => a.at - b.at)
      const lived = [{ ...first!, at: 0 }, ...later]
      await undone(async (tx) => {
        await sql`delete from working_spans where calendar_id = ${calendar.id}`.execute(tx)
        for (const { at, zone, weekly } of lived) {
          const written = weekly.map((day) => day.map(({ from, to }) => ({ from: clock(from), to: clock(to) })))
          await sql`update settings set time_zone = ${zone}`.execute(tx)
          await sql`update working_calendars set weekly = ${JSON.stringify(written)}::jsonb where id = ${calendar.id}`.execute(tx)
          await sql`select lay_out(${calendar.id}, ${new Date(BEGIN + at * MINUTE_MS)}::timestamptz)`.execute(tx)
        }
        const counted: number[] = [0]
        for (let n = 0; n < MINUTES; n++) {
          const { zone, weekly } = lived.findLast(({ at }) => at <= n)!
          const { day, minute } = wallOf(zone)[n]!
          const works = weekly[day]!.some(({ from, to }) => from <= minute && minute < to)
          counted.push(counted[n]! + (works ? 1 : 0))
        }
        const { rows } = await sql<{ n: number; worked: number; isOpen: boolean }>`
          select n, working_time(${calendar.id}, at) / 60000000 as worked, is_working(${calendar.id}, at) as is_open
          from generate_series(0, ${MINUTES - 1}, 7) as n, lateral (select ${new Date(BEGIN)}::timestamptz + make_interval(mins => n) as at) as moment
          order by n`.execute(tx)
        for (const { n, worked, isOpen } of rows) assert.deepEqual([n, worked, isOpen], [n, counted[n], counted[n + 1]! > counted[n]!])
        const due = counted.findIndex((worked) => worked >= minutes)
        const found = await sql<{ at: Date | null }>`
          select working_moment(${calendar.id}, ${minutes} * 60000000::bigint) as at`.execute(tx)
        if (due >= 0) assert.equal(found.rows[0]!.at!.getTime(), BEGIN + due * MINUTE_MS)
      })
    }),
    generated(3, 40),
  )
})
