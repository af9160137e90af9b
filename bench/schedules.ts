/** Measures the PDF of a day of 40 meetings: how long it takes, and how long it delays everyone else. */
import { freePort } from '../test/free-port.ts'
import { note } from './figures.ts'
import { signIn } from './people.ts'
import { type BenchPortal, openBenchPortal } from './portal.ts'

const ROUNDS = 9
const MEETINGS = 40
const DAY = '2026-11-22'
const MOST_MS = 1500
const MOST_BLOCKED_MS = 50
const json = { 'content-type': 'application/json' }

/** Creates 40 meetings with eight people each, in both languages. */
const fillDay = ({ sql }: BenchPortal) =>
  sql(
    `with added as (
       insert into meetings (date, start_time, end_time, title_ar, title_en, location_ar, location_en, notes, is_highlighted, sort_order)
       select $1, to_char(time '08:00' + n * interval '12 minutes', 'HH24:MI'), to_char(time '08:10' + n * interval '12 minutes', 'HH24:MI'),
         'اجتماع اللجنة التوجيهية رقم ' || n, 'Steering committee ' || n, 'القاعة الكبرى، الدور الثالث', 'Main hall, third floor',
         'يُعرض تقرير التقدّم للربع الثالث، ثم تُعتمد الميزانية المعدّلة.', n % 5 = 0, n
       from generate_series(1, $2::int) as n returning id),
     recorded as (insert into ledger (kind, target_type, target_id, facts) select 'bench.filled', 'meeting', id, '{}' from added)
     insert into meeting_attendees (meeting_id, place, name, title, kind)
     select id, place, 'عبدالله الشهري ' || place, case when place % 2 = 0 then 'Solution Architect' else 'مدير البرنامج' end,
       (array['internal', 'external', 'virtual'])[1 + place % 3]
     from added, generate_series(1, 8) as place`,
    [DAY, MEETINGS],
  )

/** Milliseconds from the request to the complete PDF, and its size. */
async function makePdf(base: string, cookie: string, language: 'ar' | 'en') {
  const begun = performance.now()
  const path = `${base}/api/executive-meetings/pdf-archives`
  const asked = await fetch(path, { method: 'POST', headers: { ...json, cookie }, body: JSON.stringify({ date: DAY, language }) })
  const { id } = (await asked.json()) as { id: number }
  const file = await fetch(`${path}/${id}/file`, { headers: { cookie } })
  if (file.status !== 200) throw new Error(`no PDF: ${file.status} ${await file.text()}`)
  const { byteLength } = await file.arrayBuffer()
  return { ms: performance.now() - begun, byteLength }
}

/** The longest delay of the server's event loop since the last call. */
async function readBlockedMs(metricsPort: number) {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(text)![1]) * 1000
}

/** Prints the figures; returns whether they meet their targets. */
export async function benchSchedules() {
  const metricsPort = await freePort()
  const portal = await openBenchPortal({ METRICS_PORT: String(metricsPort) })
  try {
    await fillDay(portal)
    const cookie = await signIn(portal.base)
    await makePdf(portal.base, cookie, 'ar')
    const rounds = []
    for (let round = 0; round < ROUNDS; round++) {
      await readBlockedMs(metricsPort)
      const made = await makePdf(portal.base, cookie, round % 2 ? 'en' : 'ar')
      rounds.push({ ...made, blockedMs: await readBlockedMs(metricsPort) })
    }
    const held = [
      note({
        what: `PDF of ${MEETINGS} meetings, from asking to having it`,
        unit: 'ms',
        rounds: rounds.map((round) => round.ms),
        atMost: MOST_MS,
      }),
      note({
        what: 'longest block of the event loop while a PDF is made',
        unit: 'ms',
        rounds: [Math.max(...rounds.map((round) => round.blockedMs))],
        atMost: MOST_BLOCKED_MS,
      }),
    ]
    return held.every(Boolean)
  } finally {
    await portal.close()
  }
}
