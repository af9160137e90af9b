/** Services that are done by teams in time: placing, the lists of receivers, the job of reminders, and a calendar that changes. */
import { setTimeout as pause } from 'node:timers/promises'
import { ask, json } from './asking.ts'
import { note } from './figures.ts'
import { untilQuiet } from './placing.ts'
import { openStage, RECEIVERS, type Stage } from './stage.ts'

const SECONDS = 4
const ROUNDS = 5
const CONNECTIONS = 64
const WAITING = 5_000
const OPEN = 20_000

interface Timed extends Stage {
  /** The calendar of a team that always works, and the service that it does within 30 minutes and four hours. */
  calendarId: number
  timedId: number
}

const asAdmin = async ({ portal, adminCookie }: Stage, method: string, path: string, body: object) => {
  const response = await fetch(`${portal.base}/api${path}`, {
    method,
    headers: { ...json, cookie: adminCookie },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response.json() as Promise<{ id: number }>
}

async function addTeam(stage: Stage): Promise<Timed> {
  const names = (name: string) => ({ nameAr: name, nameEn: name })
  const group = await asAdmin(stage, 'POST', '/groups', { name: 'IT', userIds: stage.receivers })
  const weekly = Array.from({ length: 7 }, () => [{ from: '00:00', to: '24:00' }])
  const calendar = await asAdmin(stage, 'POST', '/working-calendars', { ...names('Always'), weekly })
  const team = await asAdmin(stage, 'POST', '/service-teams', { ...names('IT'), groupIds: [group.id], calendarId: calendar.id })
  const service = await asAdmin(stage, 'POST', '/services', { ...names('Laptop') })
  await asAdmin(stage, 'PUT', `/services/${service.id}/handling`, { teamId: team.id, receiveMinutes: 30, completeMinutes: 240 })
  return { ...stage, calendarId: calendar.id, timedId: service.id }
}

/** Orders a second of one service, over all connections. */
async function place(stage: Stage, serviceId: number) {
  await untilQuiet(stage)
  const body = JSON.stringify({ serviceId })
  const requests = stage.cookies
    .slice(RECEIVERS, RECEIVERS + 500)
    .map((cookie) => ({ method: 'POST' as const, path: '/api/orders', headers: { ...json, cookie }, body }))
  const { requests: sent, non2xx } = await ask(stage.portal.base, requests, { connections: CONNECTIONS, duration: SECONDS })
  if (non2xx) throw new Error(`${non2xx} orders were refused`)
  // A person has at most 100 orders waiting.
  await emptied(stage)
  return sent.average
}

async function emptied({ portal: { sql } }: Stage) {
  await sql('alter table orders disable trigger demand_change; alter table order_details disable trigger demand_change')
  await sql('delete from orders')
  await sql('alter table orders enable trigger demand_change; alter table order_details enable trigger demand_change')
}

/** Stores open orders of the team, a tenth of them late. */
async function fill({ portal: { sql }, timedId, calendarId, ids }: Timed, count: number) {
  await sql('alter table orders disable trigger demand_change; alter table order_details disable trigger demand_change')
  await sql(
    `with placed as (
       insert into orders (service_id, user_id) select $1, ($2::int[])[1 + n % 1900] from generate_series(1, $3::int) as n returning id)
     insert into order_details (order_id, calendar_id, started, receive_due, complete_due, due)
     select id, $4, start, start + 1800000000, start + 14400000000, start + 1800000000
     from placed, lateral (
       select working_time($4, now()) - case when id % 10 = 0 then 2000000000 else 0 end + id as start) as clock`,
    [timedId, ids.slice(50), count, calendarId],
  )
  await sql('alter table orders enable trigger demand_change; alter table order_details enable trigger demand_change')
  await sql('vacuum analyze')
}

async function timeOf(work: () => Promise<unknown>) {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}
const repeated = async (work: () => Promise<unknown>) => {
  await work()
  const rounds: number[] = []
  for (let n = 0; n < ROUNDS; n++) rounds.push(await timeOf(work))
  return rounds
}
const get =
  ({ portal }: Stage, path: string, cookie: string) =>
  async () => {
    const response = await fetch(`${portal.base}/api${path}`, { headers: { cookie } })
    if (!response.ok) throw new Error(`GET ${path}: ${response.status}`)
    await response.arrayBuffer()
  }

/** Runs the job of reminders to its end. */
async function reminded({ portal: { sql } }: Stage) {
  const [job] = await sql<{ id: string }>("select id from graphile_worker.add_job('remind')")
  for (;;) {
    const [left] = await sql<{ count: number }>('select count(*) from graphile_worker.jobs where id = $1', [job!.id])
    if (Number(left!.count) === 0) return
    await pause(2)
  }
}

export async function benchServices() {
  const stage = await addTeam(await openStage())
  const held: boolean[] = []
  try {
    const [plain, timed]: [number[], number[]] = [[], []]
    for (let n = 0; n < ROUNDS; n++) {
      plain.push(await place(stage, stage.serviceId))
      timed.push(await place(stage, stage.timedId))
    }
    held.push(
      note({
        what: 'POST /orders of a service with a team and targets, against one without',
        unit: '/s',
        rounds: timed,
        floor: plain,
        atLeast: 0.67,
      }),
    )

    await fill(stage, WAITING)
    const floor = await repeated(() => stage.portal.sql('select count(*) from orders join order_details on order_id = id'))
    const incoming = await repeated(get(stage, '/orders/incoming?limit=100', stage.cookies[0]!))
    held.push(note({ what: `GET /orders/incoming with ${WAITING} waiting, against counting them`, unit: 'ms', rounds: incoming, floor }))
    const teams = await repeated(get(stage, '/service-teams', stage.cookies[0]!))
    held.push(note({ what: `GET /service-teams with ${WAITING} waiting, against counting them`, unit: 'ms', rounds: teams, floor }))

    await fill(stage, OPEN - WAITING)
    const many = await repeated(() => stage.portal.sql('select count(*) from orders join order_details on order_id = id'))
    const due = await repeated(() => reminded(stage))
    held.push(note({ what: `the minute’s job among ${OPEN} open orders, against counting them`, unit: 'ms', rounds: due, floor: many }))
    let month = 1
    const change = await repeated(() =>
      asAdmin(stage, 'PATCH', `/working-calendars/${stage.calendarId}`, {
        daysOff: [{ date: `2027-${String(month++).padStart(2, '0')}-01` }],
      }),
    )
    held.push(note({ what: `a changed calendar with ${OPEN} open orders, against counting them`, unit: 'ms', rounds: change, floor: many }))
    const preview = await repeated(() => asAdmin(stage, 'POST', `/working-calendars/${stage.calendarId}/preview`, { daysOff: [] }))
    held.push(note({ what: `its preview, against counting them`, unit: 'ms', rounds: preview, floor: many }))
  } finally {
    await stage.close()
  }
  return held.every(Boolean)
}
