/** Compares the list of a day of 40 meetings with 5 attendees each with a bare server. */
import { note } from './figures.ts'
import { compareWithFloor } from './floor-ratio.ts'
import { fillPeople } from './people.ts'
import { type BenchPortal, openBenchPortal } from './portal.ts'

const PEOPLE = 20
const MEETINGS = 40
const ATTENDEES = 5
const DAYS = 365
const DAY = '2030-07-01'
const TRIES = 30

/** Makes everyone an executive and creates a year of days with 40 meetings each; returns a meeting of the middle day. */
async function fillMeetings({ sql }: BenchPortal, ids: number[]) {
  await sql(
    `with roled as (
       insert into direct_roles select one, roles.id from unnest($1::int[]) as one, roles where roles.name = 'executive_coordinator' returning user_id),
     history as (insert into permission_history (kind, target_id, added, removed) select 'user.roles', user_id, '{}', '{}' from roled)
     insert into ledger (kind, target_type, target_id, facts) select 'bench.filled', 'user', user_id, '{}' from roled`,
    [ids],
  )
  await sql(
    `with added as (
       insert into meetings (date, start_time, end_time, title_ar, title_en, location_ar, location_en, notes, created_by)
       select date '2030-01-01' + d, lpad((7 + n / 4)::text, 2, '0') || ':' || lpad((n % 4 * 15)::text, 2, '0'), null,
         'اجتماع اللجنة رقم ' || n, 'Committee meeting number ' || n, 'القاعة الكبرى', 'Great hall', 'Bring the plan', $1
       from generate_series(0, $2::int - 1) as d, generate_series(0, $3::int - 1) as n returning id),
     ledger as (insert into ledger (kind, target_type, target_id, facts) select 'bench.filled', 'meeting', id, '{}' from added)
     insert into meeting_attendees (meeting_id, place, name, title, kind, user_id)
     select id, place, 'Attendee number ' || place, 'مدير إدارة', 'internal', $1 from added, generate_series(1, $4::int) as place`,
    [ids[0], DAYS, MEETINGS, ATTENDEES],
  )
  await sql('analyze')
  const [{ id }] = (await sql<{ id: number }>('select min(id) as id from meetings where date = $1', [DAY])) as [{ id: number }]
  return id
}

/** Prints the time of an uncached answer, just after a change to its data. */
async function timeAnew({ base }: BenchPortal, cookie: string, meetingId: number, path: string) {
  const times = []
  for (let n = 0; n < TRIES; n++) {
    const headers = { cookie, 'content-type': 'application/json' }
    await fetch(`${base}/api/executive-meetings/${meetingId}`, { method: 'PATCH', headers, body: JSON.stringify({ notes: `Note ${n}` }) })
    const begun = performance.now()
    await (await fetch(base + path, { headers: { cookie } })).text()
    times.push(performance.now() - begun)
  }
  note({ what: `GET ${path.replace(/\/\d+/, '/:id')}, after a change`, unit: 'ms', rounds: times })
}

/** Prints the figures; returns whether they meet their targets. */
export async function benchMeetings() {
  const portal = await openBenchPortal()
  try {
    const { ids, cookies } = await fillPeople(portal, PEOPLE)
    const meetingId = await fillMeetings(portal, ids)
    const path = `/api/executive-meetings?date=${DAY}`
    await timeAnew(portal, cookies[0]!, meetingId, path)
    return await compareWithFloor(portal, { paths: [path], callers: cookies.map((cookie) => ({ cookie })), atLeast: 0.25 })
  } finally {
    await portal.close()
  }
}
