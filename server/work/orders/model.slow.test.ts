/** Generated schedules of simultaneous actions on orders, over two instances, compared with a model of the rules. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { findTorn } from '../../../test/ledger.ts'
import { ascending, idsIn, makers } from '../../../test/makers.ts'
import { type Answer, type Client, testPortal, until } from '../../../test/portal.ts'
import { type AtBoth, twoInstances } from '../../../test/race.ts'
import { generated } from '../../../test/suite.ts'

const portal = testPortal()
const { newPerson, newService } = makers(portal)

const names = ['huda', 'omar', 'rana', 'sami', 'admin'] as const
type Name = (typeof names)[number]
const receiving: readonly Name[] = ['rana', 'sami', 'admin']
const statuses = ['pending', 'received', 'preparing', 'completed', 'cancelled'] as const
type Status = (typeof statuses)[number]

interface Order {
  owner: Name
  worker: Name | null
  status: Status
  /** Whether the cancellation can no longer be undone. */
  isLate: boolean
}
type Orders = Record<number, Order>
/** `ids`: the orders that the command is about; for a placement, the new order. */
interface Command {
  who: Name
  action: 'place' | 'claim' | 'release' | 'hand to rana' | 'delete' | 'bulk-delete' | 'let the undo window pass' | Status
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

/** Applies a command to the orders; returns the portal’s expected answer. */
function apply(orders: Orders, { who, action, ids }: Command): string {
  const [id] = ids as [number]
  const order = orders[id]
  if (action === 'place') {
    orders[id] = { owner: who, worker: null, status: 'pending', isLate: false }
    return '201 pending of nobody'
  }
  if (action === 'let the undo window pass') {
    if (order?.status === 'cancelled') order.isLate = true
    return ''
  }
  if (action === 'bulk-delete') {
    const deleted = ids.filter((one) => orders[one] && mayDelete(orders[one], who))
    for (const one of deleted) delete orders[one]
    return `200 deleted ${deleted}, not ${ids.filter((one) => !deleted.includes(one))}`
  }
  if ((action === 'claim' && !receiving.includes(who)) || (action === 'hand to rana' && who !== 'admin')) return '403 forbidden'
  if (!order) return '404 not_found'
  if (action === 'delete') {
    if (!mayDelete(order, who)) return '403 forbidden'
    delete orders[id]
    return '204'
  }
  if (action === 'claim') {
    if (order.status !== 'pending') return '409 already_claimed'
    Object.assign(order, { worker: who, status: 'received' })
  } else if (action === 'release') {
    if (order.worker !== who && who !== 'admin') return '403 forbidden'
    if (!/^(rec|prep)/.test(order.status)) return '400 invalid_transition'
    Object.assign(order, { worker: null, status: 'pending' })
  } else if (action === 'hand to rana') {
    if (/^(comp|canc)/.test(order.status)) return '400 invalid_transition'
    if (order.worker !== 'rana') Object.assign(order, { worker: 'rana', status: 'received' })
  } else {
    const may = mayMove(order, who, action)
    if (may === null) return '403 forbidden'
    if (!may) return '400 invalid_transition'
    if (order.status === 'cancelled' && order.isLate) return '400 undo_window_expired'
    order.status = action
    order.isLate = false
  }
  return `200 ${order.status} of ${order.worker ?? 'nobody'}`
}

// The orders that people see, in the model and in the portal.

interface Seen {
  orders: Record<number, { owner: Name; worker: Name | null; status: Status; next: Status[] }>
  /** The ids of incoming orders, by receiver. */
  incoming: Record<string, number[]>
}

function lookAtModel(orders: Orders): Seen {
  const after = (id: number, who: Name, action: Command['action']) => apply(structuredClone(orders), { who, action, ids: [id] })
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

async function newSetting() {
  const atBoth = twoInstances(portal)
  const entries = names.map(async (name, n) => {
    const person = name === 'admin' ? portal.admin : await newPerson({ roles: receiving.includes(name) ? ['order_receiver'] : [] })
    const both = await atBoth(person)
    return { name, both, stream: await both[n & 1]!.listen() }
  })
  const all = await Promise.all(entries)
  return {
    people: Object.fromEntries(all.map(({ name, both }) => [name, both])) as Record<Name, AtBoth>,
    streams: Object.fromEntries(all.map(({ name, stream }) => [name, stream])) as Record<Name, Awaited<ReturnType<Client['listen']>>>,
    nameOf: (id: number | null): Name | null => all.find(({ both }) => both[0].id === id)?.name ?? null,
    serviceId: (await newService()).id,
  }
}
type Setting = Awaited<ReturnType<typeof newSetting>>

async function lookAtPortal({ people, nameOf }: Setting): Promise<Seen> {
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

async function act({ people, nameOf, serviceId }: Setting, { who, action, ids: [id], ids }: Command, at: number) {
  const person = people[who][(at & 1) as 0 | 1]
  const late = `update orders set cancelled_at = cancelled_at - interval '1 day' where id = ${id} and status = 'cancelled'`
  if (action === 'let the undo window pass') return portal.meddle('order', id!, late).then(() => ({ said: '', made: null }))
  const ask = (): Promise<Answer> => {
    if (action === 'place') return person.post('/orders', { serviceId })
    if (action === 'claim') return person.patch(`/orders/${id}/confirm-receipt`)
    if (action === 'release') return person.post(`/orders/${id}/release`)
    if (action === 'hand to rana') return person.post(`/orders/${id}/assign`, { userId: people.rana[0].id })
    if (action === 'delete') return person.delete(`/orders/${id}`)
    if (action === 'bulk-delete') return person.post('/orders/bulk-delete', { ids })
    return person.patch(`/orders/${id}/status`, { status: action })
  }
  const { status, body } = await ask()
  const said = () => {
    if (status >= 400) return `${status} ${body.code}`
    if (!body) return `${status}`
    if (action === 'bulk-delete') return `${status} deleted ${body.deletedIds}, not ${body.failedIds}`
    return `${status} ${body.status} of ${nameOf(body.assignedTo) ?? 'nobody'}`
  }
  return { said: said(), made: action === 'place' ? (body.id as number) : null }
}

/** Keeps the undo windows open until a command ends them, so that the speed of the machine does not matter. */
function keepUndoWindowsOpen() {
  const open = `status = 'cancelled' and cancelled_at > now() - interval '1 hour'`
  const recorded = `insert into ledger (kind, target_type, target_id, facts) select 'test.meddled', 'order', id, '{}' from orders where ${open}`
  return portal.sql(`begin; ${recorded}; update orders set cancelled_at = now() + interval '1 hour' where ${open}; commit`)
}

/** The possible orders after simultaneous commands: one result for each sequence of the commands that explains all answers. */
function* serially(orders: Orders, commands: { command: Command; said: string }[]): Generator<Orders> {
  if (commands.length === 0) yield orders
  for (const [n, { command, said }] of commands.entries()) {
    const next = structuredClone(orders)
    if (apply(next, command) === said) yield* serially(next, commands.toSpliced(n, 1))
  }
}

/** The orders that a client knows from its event stream alone. */
function replayIncoming({ streams, nameOf }: Setting, who: Name) {
  const known: Record<number, { status: Status; worker: Name | null }> = {}
  for (const { orderId, status, assignedTo, change } of streams[who].seen('order_incoming_changed').map(({ data }) => data)) {
    if (change === 'deleted') delete known[orderId]
    else known[orderId] = { status, worker: nameOf(assignedTo) }
  }
  return known
}
function replayOwn({ streams, nameOf }: Setting, who: Name) {
  const known: Record<number, { status: Status; worker: Name | null } | null> = {}
  for (const { event, data } of streams[who].events) {
    if (event === 'order_deleted') known[data.orderId] = null
    if (event === 'order_updated') known[data.order.id] = { status: data.order.status, worker: nameOf(data.order.assignedTo) }
  }
  return known
}

/** Waits until the streams agree with the model. */
async function assertStreamsAgree(set: Setting, orders: Orders) {
  const brief = Object.fromEntries(Object.entries(orders).map(([id, { status, worker }]) => [id, { status, worker }]))
  const isTrue = (who: Name, id: number, known: object | null) =>
    known ? isDeepStrictEqual(known, brief[id]) && orders[id]?.owner === who : orders[id] === undefined
  const isTrueFor = (who: Name) => Object.entries(replayOwn(set, who)).every(([id, known]) => isTrue(who, Number(id), known))
  const isComplete = () => receiving.every((who) => isDeepStrictEqual(replayIncoming(set, who), brief)) && names.every(isTrueFor)
  await until('the streams agree with the model', isComplete).catch(() => {
    assert.deepEqual(replayIncoming(set, 'admin'), brief)
    assert.deepEqual(
      names.filter((who) => !isTrueFor(who)),
      [],
    )
    assert.fail('the streams of the receivers differ')
  })
}

const MOST_RECENT = 4
const weights = [
  ['place', 2],
  ['claim', 5],
  ['release', 2],
  ['hand to rana', 1],
  ['delete', 2],
  ['bulk-delete', 3],
  ['let the undo window pass', 1],
  ['pending', 2],
  ['received', 2],
  ['preparing', 2],
  ['completed', 1],
  ['cancelled', 4],
] as const
const requests = fc.record({
  who: fc.constantFrom(...names),
  action: fc.oneof(...weights.map(([action, weight]) => ({ arbitrary: fc.constant(action), weight }))),
  /** The orders by age: 0 is the newest. It is chosen most often, so that many commands concern the same order. */
  which: fc.oneof(
    { weight: 3, arbitrary: fc.constant<number[]>([0]) },
    { weight: 2, arbitrary: fc.uniqueArray(fc.nat(MOST_RECENT - 1), { minLength: 1, maxLength: MOST_RECENT }) },
  ),
})
type Wanted = typeof requests extends fc.Arbitrary<infer T> ? T : never
const schedules = fc.array(fc.array(requests, { minLength: 3, maxLength: 6 }), { minLength: 6, maxLength: 10 })

const UNKNOWN = 2 ** 31 - 1

test('simultaneous actions on orders give the result of one action after the other, and the streams agree', async (t) => {
  const set = await newSetting()
  let orders: Orders = {}
  const known: number[] = []
  let bursts = 0

  async function burst(wanted: Wanted[]) {
    const commands = wanted.map(({ who, action, which }): Command => {
      const ids = [...new Set(which.map((back) => known.at(-1 - back) ?? UNKNOWN))]
      return { who, action, ids: action === 'bulk-delete' ? ids : ids.slice(0, 1) }
    })
    const done = await Promise.all(
      commands.map(async (command, n) => {
        const { said, made } = await act(set, command, bursts + n)
        return { command: made ? { ...command, ids: [made] } : command, said }
      }),
    )
    known.push(...ascending(done.filter(({ command }) => command.action === 'place').map(({ command }) => command.ids[0]!)))
    bursts++
    await keepUndoWindowsOpen()
    const seen = await lookAtPortal(set)
    const endings = [...serially(orders, done)]
    const ending = endings.find((one) => isDeepStrictEqual(lookAtModel(one), seen))
    const story = () => JSON.stringify({ before: orders, done, seen, serially: endings.map(lookAtModel) }, null, 1)
    assert.ok(ending, `no serial order gives this: ${ending ? '' : story()}`)
    orders = ending
    await assertStreamsAgree(set, orders)
  }
  /** Deletes every order, so that lists stay short. */
  const clear = async () => {
    const ids = Object.keys(orders).map(Number)
    if (ids.length) assert.equal((await set.people.admin[0].post('/orders/bulk-delete', { ids })).status, 200)
    orders = {}
    await assertStreamsAgree(set, orders)
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
