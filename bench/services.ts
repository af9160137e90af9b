/** Measures services with teams and targets: placing, approving, lists, the job of reminders, a changed calendar, and reports. */
import { setTimeout as pause } from 'node:timers/promises'
import { ask, call, json, p99, readsDuring, timeEach, timeOf } from './asking.ts'
import { note } from './figures.ts'
import { untilQuiet } from './placing.ts'
import { openStage, RECEIVERS, type Stage } from './stage.ts'

const SECONDS = 4
const ROUNDS = 5
const CONNECTIONS = 64
const WAITING = 5_000
const OPEN = 20_000
/** The number of orders in a report, which covers 92 days. */
const REPORTED = 200_000
const FIELDS = 20
/** As many approvers as receivers, so that each order notifies as many people. They follow the receivers in `ids`. */
const APPROVERS = RECEIVERS
const ORDERS_AT_ONCE = 1000

interface Timed extends Stage {
  /** The calendar of a team that always works, and its service with targets of 30 minutes and four hours. */
  calendarId: number
  timedId: number
  /** A service of the team with a form and a step of approval. */
  formedId: number
}

const asAdmin = ({ portal, adminCookie }: Stage, method: string, path: string, body: object) =>
  call(`${portal.base}/api`, { cookie: adminCookie }, method, path, body)

const answers = Object.fromEntries(Array.from({ length: FIELDS }, (_, n) => [`field${n}`, `الجواب رقم ${n}`]))

async function addTeam(stage: Stage): Promise<Timed> {
  const names = (name: string) => ({ nameAr: name, nameEn: name })
  const group = await asAdmin(stage, 'POST', '/groups', { name: 'IT', userIds: stage.receivers })
  const weekly = Array.from({ length: 7 }, () => [{ from: '00:00', to: '24:00' }])
  const calendar = await asAdmin(stage, 'POST', '/working-calendars', { ...names('Always'), weekly })
  const team = await asAdmin(stage, 'POST', '/service-teams', { ...names('IT'), groupIds: [group.id], calendarId: calendar.id })
  const service = await asAdmin(stage, 'POST', '/services', { ...names('Laptop') })
  await asAdmin(stage, 'PUT', `/services/${service.id}/handling`, { teamId: team.id, receiveMinutes: 30, completeMinutes: 240 })
  const formed = await asAdmin(stage, 'POST', '/services', { ...names('Access card') })
  const userIds = stage.ids.slice(RECEIVERS, RECEIVERS + APPROVERS)
  const steps = [{ key: 'lead', ...names('Lead'), userIds }]
  await asAdmin(stage, 'PUT', `/services/${formed.id}/handling`, { teamId: team.id, receiveMinutes: 30, completeMinutes: 240, steps })
  const fields = Object.keys(answers).map((key) => ({ key, kind: 'text', labelAr: key, labelEn: key, required: true }))
  await asAdmin(stage, 'PUT', `/services/${formed.id}/form`, { fields })
  return { ...stage, calendarId: calendar.id, timedId: service.id, formedId: formed.id }
}

/** Places orders of one service over all connections; returns the orders per second. */
async function place(stage: Stage, serviceId: number, more: { answers?: object } = {}) {
  await untilQuiet(stage)
  const body = JSON.stringify({ serviceId, ...more })
  const requests = stage.cookies
    .slice(RECEIVERS + APPROVERS)
    .map((cookie) => ({ method: 'POST' as const, path: '/api/orders', headers: { ...json, cookie }, body }))
  // Each connection has its own people, because the calls of one person take turns.
  const share = Math.floor(requests.length / CONNECTIONS)
  let lane = 0
  const setupClient = (client: { setRequests(some: typeof requests): void }) =>
    client.setRequests(requests.slice(lane * share, ++lane * share))
  const { requests: sent } = await ask(stage.portal.base, requests.slice(0, 1), {
    connections: CONNECTIONS,
    duration: SECONDS,
    setupClient,
  })
  // A person has at most 100 orders waiting.
  await emptied(stage)
  return sent.average
}

/** Runs `work` while the triggers are off that demand a record of each change of an order. */
async function unrecorded({ portal: { sql } }: Stage, work: () => Promise<unknown>) {
  const switched = (how: 'disable' | 'enable') =>
    sql(
      ['orders', 'order_details', 'order_steps', 'order_approvals']
        .map((name) => `alter table ${name} ${how} trigger demand_change`)
        .join(';'),
    )
  await switched('disable')
  await work()
  await switched('enable')
}
const emptied = (stage: Stage) => unrecorded(stage, () => stage.portal.sql('delete from orders'))

/** Stores open orders of the team, a tenth of them late. */
async function fill(stage: Timed, count: number) {
  const { portal, timedId, calendarId, ids } = stage
  const placed = () =>
    portal.sql(
      `with placed as (
       insert into orders (service_id, user_id) select $1, ($2::int[])[1 + n % 1900] from generate_series(1, $3::int) as n returning id)
     insert into order_details (order_id, calendar_id, started, receive_due, complete_due, due)
     select id, $4, start, start + 1800000000, start + 14400000000, start + 1800000000
     from placed, lateral (
       select working_time($4, now()) - case when id % 10 = 0 then 2000000000 else 0 end + id as start) as clock`,
      [timedId, ids.slice(50), count, calendarId],
    )
  await unrecorded(stage, placed)
  await portal.sql('vacuum analyze')
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

/** Runs the job that sends reminders, and waits for its end. */
async function reminded({ portal: { sql } }: Stage) {
  const [job] = await sql<{ id: string }>("select id from graphile_worker.add_job('remind')")
  for (;;) {
    const [left] = await sql<{ count: number }>('select count(*) from graphile_worker.jobs where id = $1', [job!.id])
    if (Number(left!.count) === 0) return
    await pause(2)
  }
}

/** Places one order with a form, approves it and claims it. */
async function live({ portal, cookies, formedId }: Timed, n: number) {
  const by = (person: number) => (method: string, path: string, body: object) =>
    call(`${portal.base}/api/orders`, { cookie: cookies[person]! }, method, path, body)
  const { id } = await by(RECEIVERS + APPROVERS + (n % 500))('POST', '', { serviceId: formedId, answers })
  await by(RECEIVERS + (n % APPROVERS))('POST', `/${id}/approve`, {})
  await by(n % RECEIVERS)('PATCH', `/${id}/confirm-receipt`, {})
}

/** Stores the figures of orders of the last 90 days. */
async function report({ portal: { sql }, timedId, calendarId }: Timed) {
  await sql(
    `insert into order_figures (order_id, service_id, day, status, calendar_id, started, received_at, completed_at, receive_time, complete_time,
       received_in_time, completed_in_time)
     select 1000000 + n, $1, current_date - n % 90, 'completed', $2, n, now(), now(), n % 7200 * 1000000::bigint, n % 28800 * 1000000::bigint, n % 7 > 0, n % 9 > 0
     from generate_series(1, $3::int) as n`,
    [timedId, calendarId, REPORTED],
  )
  await sql('vacuum analyze order_figures')
}

export async function benchServices() {
  const stage = await addTeam(await openStage())
  const held: boolean[] = []
  try {
    const [plain, timed, formed]: [number[], number[], number[]] = [[], [], []]
    for (let n = 0; n < ROUNDS; n++) {
      plain.push(await place(stage, stage.serviceId))
      timed.push(await place(stage, stage.timedId))
      formed.push(await place(stage, stage.formedId, { answers }))
    }
    held.push(
      note({
        what: 'POST /orders of a service with a team and targets, against one without',
        unit: '/s',
        rounds: timed,
        floor: plain,
        atLeast: 0.67,
      }),
      note({
        what: `POST /orders with a form of ${FIELDS} fields and an approval, against one without`,
        unit: '/s',
        rounds: formed,
        floor: plain,
        atLeast: 0.67,
      }),
    )
    const reads = await readsDuring(stage.portal.base, stage.cookies.at(-1)!, () =>
      timeEach(ORDERS_AT_ONCE, (n) => live(stage, n), CONNECTIONS),
    )
    held.push(
      note({
        what: `someone else’s reads while ${CONNECTIONS} people order, approve and claim, p99`,
        unit: 'ms',
        rounds: [p99(reads)],
        atMost: 250,
      }),
    )
    await emptied(stage)

    await fill(stage, WAITING)
    const floor = await repeated(() => stage.portal.sql('select count(*) from orders join order_details on order_id = id'))
    const incoming = await repeated(get(stage, '/orders/incoming?limit=100', stage.cookies[0]!))
    held.push(note({ what: `GET /orders/incoming with ${WAITING} waiting, against counting them`, unit: 'ms', rounds: incoming, floor }))
    const teams = await repeated(get(stage, '/service-teams', stage.cookies[0]!))
    held.push(note({ what: `GET /service-teams with ${WAITING} waiting, against counting them`, unit: 'ms', rounds: teams, floor }))

    await fill(stage, OPEN - WAITING)
    const many = await repeated(() => stage.portal.sql('select count(*) from orders join order_details on order_id = id'))
    const due = await repeated(() => reminded(stage))
    const list = await repeated(get(stage, '/orders/details?view=team', stage.cookies[0]!))
    held.push(note({ what: `a page of a team’s list among ${OPEN}, against counting them`, unit: 'ms', rounds: list, floor: many }))
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
    await emptied(stage)
    await report(stage)
    const figures = await repeated(() => stage.portal.sql('select count(*) from order_figures'))
    const day = (days: number) => new Date(Date.now() - days * 24 * 3600 * 1000).toISOString().slice(0, 10)
    const reported = await repeated(get(stage, `/service-reports?from=${day(90)}&to=${day(0)}`, stage.adminCookie))
    held.push(note({ what: `a report of ${REPORTED} orders, against counting them`, unit: 'ms', rounds: reported, floor: figures }))
  } finally {
    await stage.close()
  }
  return held.every(Boolean)
}
