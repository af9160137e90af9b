/** Random schedules of what people do to orders, several things at once over two instances, held against a model of it said once more. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { findTorn } from '../../test/ledger.ts'
import { ascending, idsIn, makers } from '../../test/makers.ts'
import { type Answer, Client, testPortal, until } from '../../test/portal.ts'
import { generated } from '../../test/suite.ts'

const portal = testPortal()
const { newPerson, newService } = makers(portal)

const names = ['huda', 'omar', 'rana', 'sami', 'admin'] as const
type Name = (typeof names)[number]
const receiving: readonly Name[] = ['rana', 'sami', 'admin']
const statuses = ['pending', 'received', 'preparing', 'completed', 'cancelled'] as const
type Status = (typeof statuses)[number]

// The model.

interface Order {
  owner: Name
  worker: Name | null
  status: Status
  /** The cancellation can no longer be undone. */
  isLate: boolean
}
type Orders = Record<number, Order>
/** `ids` are those of the orders it is about; of one that places, that of the order it made. */
interface Command {
  who: Name
  does: 'place' | 'claim' | 'release' | 'hand to rana' | 'delete' | 'bulk-delete' | 'grow late' | Status
  ids: number[]
}

function mayDelete(order: Order, who: Name) {
  if (who === 'admin') return true
  if (order.owner === who && (order.status === 'completed' || order.status === 'cancelled')) return true
  if (order.status === 'pending') return receiving.includes(who)
  return order.worker === who && (order.status === 'received' || order.status === 'preparing')
}

function mayMove({ owner, worker, status }: Order, who: Name, to: Status) {
  const [owns, works, rules] = [owner === who, worker === who, who === 'admin']
  const isAt = (...all: Status[]) => all.includes(status)
  if (to === 'preparing') return works || rules ? isAt('received') : null
  if (to === 'completed') return works || rules ? isAt('received', 'preparing') : null
  if (to === 'cancelled') {
    if (!owns && !works && !rules) return null
    return (owns && isAt('pending', 'received')) || (works && isAt('received', 'preparing')) || (rules && !isAt('cancelled'))
  }
  return owns || rules ? isAt('cancelled') && (to === 'pending') === (worker === null) : null
}

/** Does it to the orders, and answers as the portal does. */
function apply(orders: Orders, { who, does, ids }: Command): string {
  const [id] = ids as [number]
  const order = orders[id]
  if (does === 'place') {
    orders[id] = { owner: who, worker: null, status: 'pending', isLate: false }
    return '201 pending of nobody'
  }
  if (does === 'grow late') {
    if (order?.status === 'cancelled') order.isLate = true
    return ''
  }
  if (does === 'bulk-delete') {
    const gone = ids.filter((one) => orders[one] && mayDelete(orders[one], who))
    for (const one of gone) delete orders[one]
    return `200 deleted ${gone}, not ${ids.filter((one) => !gone.includes(one))}`
  }
  if ((does === 'claim' && !receiving.includes(who)) || (does === 'hand to rana' && who !== 'admin')) return '403 forbidden'
  if (!order) return '404 not_found'
  if (does === 'delete') {
    if (!mayDelete(order, who)) return '403 forbidden'
    delete orders[id]
    return '204'
  }
  if (does === 'claim') {
    if (order.status !== 'pending') return '409 already_claimed'
    Object.assign(order, { worker: who, status: 'received' })
  } else if (does === 'release') {
    if (order.worker !== who && who !== 'admin') return '403 forbidden'
    if (!/^(rec|prep)/.test(order.status)) return '400 invalid_transition'
    Object.assign(order, { worker: null, status: 'pending' })
  } else if (does === 'hand to rana') {
    if (/^(comp|canc)/.test(order.status)) return '400 invalid_transition'
    if (order.worker !== 'rana') Object.assign(order, { worker: 'rana', status: 'received' })
  } else {
    const may = mayMove(order, who, does)
    if (may === null) return '403 forbidden'
    if (!may) return '400 invalid_transition'
    if (order.status === 'cancelled' && order.isLate) return '400 undo_window_expired'
    order.status = does
    order.isLate = false
  }
  return `200 ${order.status} of ${order.worker ?? 'nobody'}`
}

// What people see of it, in the model and in the portal.

interface Seen {
  orders: Record<number, { owner: Name; worker: Name | null; status: Status; next: Status[] }>
  /** Of those who receive. */
  incoming: Record<string, number[]>
}

function lookAtModel(orders: Orders): Seen {
  const after = (id: number, who: Name, does: Command['does']) => apply(structuredClone(orders), { who, does, ids: [id] })
  const nextOf = (id: number, who: Name) =>
    statuses.filter((to) => after(id, who, to).startsWith('200') || (to === 'received' && after(id, who, 'claim').startsWith('200')))
  const all = Object.entries(orders).map(([key, order]) => ({ id: Number(key), ...order }))
  const isIncoming = (who: Name) => (order: Order) =>
    order.status === 'pending' || (order.worker === who && /^(rec|prep)/.test(order.status))
  return {
    orders: Object.fromEntries(all.map(({ id, owner, worker, status }) => [id, { owner, worker, status, next: nextOf(id, owner) }])),
    incoming: Object.fromEntries(receiving.map((who) => [who, ascending(all.filter(isIncoming(who)).map(({ id }) => id))])),
  }
}

interface Stage {
  people: Record<Name, [Client, Client]>
  nameOf: (id: number | null) => Name | null
  serviceId: number
  streams: Record<Name, Awaited<ReturnType<Client['listen']>>>
}
let staged: Promise<Stage> | undefined
const stage = () => (staged ??= setStage())

async function setStage(): Promise<Stage> {
  const elsewhere = (await portal.another()).base
  const entries = names.map(async (name, n) => {
    const person = name === 'admin' ? portal.admin : await newPerson({ roles: receiving.includes(name) ? ['order_receiver'] : [] })
    const both = [person, Object.assign(new Client(elsewhere), { cookie: person.cookie, id: person.id })] as [Client, Client]
    return { name, both, stream: await both[n & 1]!.listen() }
  })
  const all = await Promise.all(entries)
  return {
    people: Object.fromEntries(all.map(({ name, both }) => [name, both])) as Stage['people'],
    streams: Object.fromEntries(all.map(({ name, stream }) => [name, stream])) as Stage['streams'],
    nameOf: (id) => all.find(({ both }) => both[0].id === id)?.name ?? null,
    serviceId: (await newService()).id,
  }
}

async function lookAtPortal({ people, nameOf }: Stage): Promise<Seen> {
  const lists = await Promise.all(names.map((name) => people[name][0].get('/orders/my')))
  const incoming = await Promise.all(receiving.map(async (name) => [name, idsIn(await people[name][1].get('/orders/incoming'))]))
  const all: { id: number; userId: number; assignedTo: number | null; status: Status; next: Status[] }[] = lists.flatMap(({ body }) => body)
  return {
    orders: Object.fromEntries(
      all.map(({ id, userId, assignedTo, status, next }) => [id, { owner: nameOf(userId)!, worker: nameOf(assignedTo), status, next }]),
    ),
    incoming: Object.fromEntries(incoming),
  }
}

async function act({ people, nameOf, serviceId }: Stage, { who, does, ids: [id], ids }: Command, at: number) {
  const person = people[who][(at & 1) as 0 | 1]
  const late = `update orders set cancelled_at = cancelled_at - interval '16 seconds' where id = ${id} and status = 'cancelled'`
  if (does === 'grow late') return portal.meddle('order', id!, late).then(() => ({ said: '', made: null }))
  const ask = (): Promise<Answer> => {
    if (does === 'place') return person.post('/orders', { serviceId })
    if (does === 'claim') return person.patch(`/orders/${id}/confirm-receipt`)
    if (does === 'release') return person.post(`/orders/${id}/release`)
    if (does === 'hand to rana') return person.post(`/orders/${id}/assign`, { userId: people.rana[0].id })
    if (does === 'delete') return person.delete(`/orders/${id}`)
    if (does === 'bulk-delete') return person.post('/orders/bulk-delete', { ids })
    return person.patch(`/orders/${id}/status`, { status: does })
  }
  const { status, body } = await ask()
  const said = () => {
    if (status >= 400) return `${status} ${body.code}`
    if (!body) return `${status}`
    if (does === 'bulk-delete') return `${status} deleted ${body.deletedIds}, not ${body.failedIds}`
    return `${status} ${body.status} of ${nameOf(body.assignedTo) ?? 'nobody'}`
  }
  return { said: said(), made: does === 'place' ? (body.id as number) : null }
}

/** What the orders may be after the commands, each of them in a serial order that gives every command the answer it got. */
function* serially(orders: Orders, commands: { command: Command; said: string }[]): Generator<Orders> {
  if (commands.length === 0) yield orders
  for (const [n, { command, said }] of commands.entries()) {
    const next = structuredClone(orders)
    if (apply(next, command) === said) yield* serially(next, commands.toSpliced(n, 1))
  }
}

/** What someone who never asked again believes of each order, from the stream alone. */
function replayIncoming({ streams, nameOf }: Stage, who: Name) {
  const believed: Record<number, { status: Status; worker: Name | null }> = {}
  for (const { orderId, status, assignedTo, change } of streams[who].seen('order_incoming_changed').map(({ data }) => data)) {
    if (change === 'deleted') delete believed[orderId]
    else believed[orderId] = { status, worker: nameOf(assignedTo) }
  }
  return believed
}
function replayOwn({ streams, nameOf }: Stage, who: Name) {
  const believed: Record<number, { status: Status; worker: Name | null } | null> = {}
  for (const { event, data } of streams[who].events) {
    if (event === 'order_deleted') believed[data.orderId] = null
    if (event === 'order_updated') believed[data.order.id] = { status: data.order.status, worker: nameOf(data.order.assignedTo) }
  }
  return believed
}

/** Once the streams have told everything, they say what the model says. */
async function assertHeard(set: Stage, orders: Orders) {
  const brief = Object.fromEntries(Object.entries(orders).map(([id, { status, worker }]) => [id, { status, worker }]))
  const isTrue = (who: Name, id: number, believed: object | null) =>
    believed ? isDeepStrictEqual(believed, brief[id]) && orders[id]?.owner === who : orders[id] === undefined
  const isAsTold = (who: Name) => Object.entries(replayOwn(set, who)).every(([id, believed]) => isTrue(who, Number(id), believed))
  const isHeard = () => receiving.every((who) => isDeepStrictEqual(replayIncoming(set, who), brief)) && names.every(isAsTold)
  await until('the streams tell what is', isHeard).catch(() => {
    assert.deepEqual(replayIncoming(set, 'admin'), brief)
    assert.deepEqual(
      names.filter((who) => !isAsTold(who)),
      [],
    )
    assert.fail('the streams of those who receive differ')
  })
}

const MOST_RECENT = 4
const verbs = [
  ['place', 2],
  ['claim', 5],
  ['release', 2],
  ['hand to rana', 1],
  ['delete', 2],
  ['bulk-delete', 3],
  ['grow late', 1],
  ['pending', 2],
  ['received', 2],
  ['preparing', 2],
  ['completed', 1],
  ['cancelled', 4],
] as const
const wishes = fc.record({
  who: fc.constantFrom(...names),
  does: fc.oneof(...verbs.map(([does, weight]) => ({ arbitrary: fc.constant(does), weight }))),
  /** Which of the most recent orders, counted from the last: mostly that one, so that many meet there. */
  which: fc.oneof(
    { weight: 3, arbitrary: fc.constant<number[]>([0]) },
    { weight: 2, arbitrary: fc.uniqueArray(fc.nat(MOST_RECENT - 1), { minLength: 1, maxLength: MOST_RECENT }) },
  ),
})
type Wish = typeof wishes extends fc.Arbitrary<infer T> ? T : never
const schedules = fc.array(fc.array(wishes, { minLength: 3, maxLength: 6 }), { minLength: 6, maxLength: 10 })

const UNKNOWN = 2 ** 31 - 1

test('whatever people do to orders at once ends as if done one after the other, and the streams tell so', async (t) => {
  const set = await stage()
  let orders: Orders = {}
  const known: number[] = []
  let bursts = 0

  async function burst(wanted: Wish[]) {
    const commands = wanted.map(({ who, does, which }): Command => {
      const ids = [...new Set(which.map((back) => known.at(-1 - back) ?? UNKNOWN))]
      return { who, does, ids: does === 'bulk-delete' ? ids : ids.slice(0, 1) }
    })
    const done = await Promise.all(
      commands.map(async (command, n) => {
        const { said, made } = await act(set, command, bursts + n)
        return { command: made ? { ...command, ids: [made] } : command, said }
      }),
    )
    known.push(...ascending(done.filter(({ command }) => command.does === 'place').map(({ command }) => command.ids[0]!)))
    bursts++
    const seen = await lookAtPortal(set)
    const endings = [...serially(orders, done)]
    const ending = endings.find((one) => isDeepStrictEqual(lookAtModel(one), seen))
    const story = () => JSON.stringify({ before: orders, done, seen, serially: endings.map(lookAtModel) }, null, 1)
    assert.ok(ending, `no serial order gives this: ${ending ? '' : story()}`)
    orders = ending
    await assertHeard(set, orders)
  }
  /** Everything goes, so that lists stay short. */
  const clear = async () => {
    const ids = Object.keys(orders).map(Number)
    if (ids.length) assert.equal((await set.people.admin[0].post('/orders/bulk-delete', { ids })).status, 200)
    orders = {}
    await assertHeard(set, orders)
  }

  const property = fc.asyncProperty(schedules, async (schedule) => {
    for (const wanted of schedule) await burst(wanted)
    await clear()
  })
  await fc.assert(property, { ...generated(6, 40), endOnFailure: true })
  t.diagnostic(`${bursts} bursts`)
  assert.deepEqual(await findTorn(portal.sql), [])
  for (const { close } of Object.values(set.streams)) close()
})
