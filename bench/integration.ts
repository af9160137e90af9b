/** Measures the portal with other systems: directories, receivers of webhooks, a collector of the audit stream, and files of people. */
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { call, json, p99, timeEach, timeOf } from './asking.ts'
import { askAsAdmin, measureGroups, measurePeople, type Organisation, openDirectory, PEOPLE } from './directories.ts'
import { median, note } from './figures.ts'
import { openCollector, openReceiver, timeUntil } from './loopback.ts'
import { fillPeople, signIn } from './people.ts'
import { type BenchPortal, openBenchPortal } from './portal.ts'

const ROUNDS = 5
const [HOOKS, EVENTS, LONE_ORDERS] = [5, 2000, 20]
const ROWS = 100_000

/** The processor time of the server, in s. */
async function worked({ child }: BenchPortal) {
  const fields = (await readFile(`/proc/${child.pid}/stat`, 'utf8')).split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

async function measureWebhooks(organisation: Organisation) {
  const { portal, cookies } = organisation
  const receiver = await openReceiver()
  const { id: serviceId } = await askAsAdmin(organisation, 'POST', '/services', { nameAr: 'قهوة', nameEn: 'Coffee' })
  const hook = (name: string) => askAsAdmin(organisation, 'POST', '/webhooks', { name, url: receiver.url, types: ['order.placed'] })
  const order = (n: number) => call(portal.base, { cookie: cookies[n]! }, 'POST', '/api/orders', { serviceId })
  let person = 1000
  /** The usual time of a lone order; the deliveries of each are done before the next is placed. */
  const loneOrder = async () => {
    const times: number[] = []
    for (let n = 0; n < LONE_ORDERS; n++) {
      times.push(await timeOf(() => order(person++)))
      await pause(500)
    }
    return median(times)
  }
  const hooks = [await hook('First')]
  const arrivals: number[] = []
  for (let n = 0; n < 200; n++) {
    const { count } = receiver
    await order(person++)
    arrivals.push(await timeUntil(() => receiver.count > count))
  }
  while (hooks.length < HOOKS) hooks.push(await hook(`Hook ${hooks.length}`))

  const [begun, before] = [receiver.count, await worked(portal)]
  await portal.sql(
    `insert into ledger (kind, target_type, target_id, actor_id, actor_username, facts)
     select kind, target_type, target_id, actor_id, actor_username, facts
     from (select * from ledger where kind = 'order.placed' order by id desc limit 1) as one, generate_series(1, $1::int)`,
    [EVENTS],
  )
  const deliveries = EVENTS * HOOKS
  const ms = await timeUntil(() => receiver.count - begun >= deliveries)
  const used = ((await worked(portal)) - before) * (10_000 / deliveries)
  const post = () => fetch(receiver.url, { method: 'POST', headers: json, body: '{"type":"order.placed"}' }).then((answer) => answer.text())
  const bare = 1000 / (await timeEach(deliveries / 4, post, 20))

  const drop = () => Promise.all(hooks.splice(0).map(({ id }) => askAsAdmin(organisation, 'DELETE', `/webhooks/${id}`)))
  const beside: number[] = []
  const without: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await drop()
    without.push(await loneOrder())
    while (hooks.length < 50) hooks.push(await hook(`Hook ${hooks.length}`))
    beside.push(await loneOrder())
  }
  await drop()
  receiver.close()
  const each = deliveries / (ms / 1000)
  return [
    note({ what: `deliveries of ${EVENTS} events to ${HOOKS} webhooks`, unit: '/s', rounds: [each], atLeast: 10_000 / 60 }),
    note({ what: 'the same, against bare calls of the receiver over 20 connections', unit: '/s', rounds: [each], floor: [bare] }),
    note({ what: 'the processor time of 10,000 deliveries', unit: 's', rounds: [used], atMost: 36 }),
    note({ what: 'from the answer to an order to its message, p99', unit: 'ms', rounds: [p99(arrivals)], atMost: 2000 }),
    note({ what: 'a lone order with 50 webhooks, against one with none', unit: 'ms', rounds: beside, floor: without, atMost: 1.05 }),
  ]
}

async function measureImport(organisation: Organisation) {
  const { portal, cookie } = organisation
  const lines = Array.from({ length: PEOPLE }, (_, n) => `file${n},file${n}@example.org,الموظف رقم ${n},Employee ${n}`)
  const body = ['username,email,display_name_ar,display_name_en', ...lines].join('\n')
  const before = portal.rssMb()
  let most = before
  const watching = setInterval(() => {
    most = Math.max(most, portal.rssMb())
  }, 20)
  const send = async () => {
    const response = await fetch(`${portal.base}/api/users/imports`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'text/csv' },
      body,
    })
    if (!response.ok) throw new Error(`the file: ${response.status} ${await response.text()}`)
    await response.text()
  }
  const ms = await timeOf(send)
  clearInterval(watching)
  return [
    note({ what: `a file of ${PEOPLE} people previewed`, unit: 's', rounds: [ms / 1000], atMost: 20 }),
    note({ what: 'memory that the server gains while it previews a file', unit: 'MB', rounds: [most - before], atMost: 100 }),
  ]
}

/** Inserts many rows at once, so that the stream has a backlog, as after an outage of the collector. */
async function measureStream(portal: BenchPortal, collector: Awaited<ReturnType<typeof openCollector>>) {
  const rates: number[] = []
  const bare: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const { lines } = collector
    collector.bodies = []
    await portal.sql(
      `insert into ledger (kind, target_type, target_id, actor_username, action, facts)
       select 'bench.filled', 'role', n, 'person' || n % 20, 'role.update', jsonb_build_object('name', jsonb_build_object('from', 'Role', 'to', 'Role ' || n))
       from generate_series(1, $1::int) as n`,
      [ROWS / ROUNDS],
    )
    // The portal finds rows that no command of its own wrote only every 15 s, so the time begins with the first portion.
    await timeUntil(() => collector.lines > lines)
    const rest = ROWS / ROUNDS - (collector.lines - lines)
    const ms = await timeUntil(() => collector.lines - lines >= ROWS / ROUNDS)
    rates.push(rest / (ms / 1000))
    const bodies = [...collector.bodies]
    const again = await timeOf(async () => {
      for (const body of bodies) await collector.send(body)
    })
    bare.push(ROWS / ROUNDS / (again / 1000))
  }
  return [
    note({ what: 'lines of the audit stream in arrears', unit: '/s', rounds: rates, atLeast: 2000 }),
    note({ what: 'the same, against the same bodies sent bare', unit: '/s', rounds: rates, floor: bare }),
  ]
}

async function organised(): Promise<Organisation> {
  const portal = await openBenchPortal({ WEBHOOK_INTERNAL_HOSTS: '127.0.0.1', SECRETS_KEY: 'k'.repeat(43) })
  const { ids, cookies } = await fillPeople(portal, PEOPLE)
  return { portal, ids, cookies, cookie: await signIn(portal.base) }
}

/** Prints the figures; returns whether they meet their targets. */
export async function benchIntegration() {
  const held: boolean[] = []
  const organisation = await organised()
  try {
    const directory = await openDirectory(organisation)
    held.push(...(await measurePeople(organisation, directory)), ...(await measureGroups(organisation, directory)))
    held.push(...(await measureWebhooks(organisation)), ...(await measureImport(organisation)))
  } finally {
    await organisation.portal.close()
  }
  const folder = await mkdtemp(join(tmpdir(), 'bawaba-collector-'))
  const collector = await openCollector(folder)
  const portal = await openBenchPortal(collector.env)
  try {
    held.push(...(await measureStream(portal, collector)))
  } finally {
    await portal.close()
    collector.close()
    await rm(folder, { recursive: true })
  }
  return held.every(Boolean)
}
