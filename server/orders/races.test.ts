/** Simultaneous actions on an order, over two instances, end as some serial order of them would. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { deep, someOf } from '../../test/depth.ts'
import { findTorn } from '../../test/ledger.ts'
import { ascending, makers } from '../../test/makers.ts'
import { type Answer, Client, testPortal } from '../../test/portal.ts'
import { type Act, outcome, race } from '../../test/race.ts'

const portal = testPortal()
const { newPerson, newService } = makers(portal)
const RACERS = deep(1000)

/** One person, signed in at both instances. */
type Everywhere = [Client, Client]
interface Stage {
  elsewhere: string
  owner: Everywhere
  admin: Everywhere
  receivers: Everywhere[]
  serviceId: number
}
let staged: Promise<Stage> | undefined
const stage = () => (staged ??= setStage())

const atBoth = (person: Client, elsewhere: string): Everywhere => [
  person,
  Object.assign(new Client(elsewhere), { cookie: person.cookie, id: person.id, username: person.username }),
]
async function setStage(): Promise<Stage> {
  const elsewhere = (await portal.another()).base
  const receivers = await Promise.all(Array.from({ length: 10 }, () => newPerson({ roles: ['order_receiver'] })))
  return {
    elsewhere,
    owner: atBoth(await newPerson(), elsewhere),
    admin: atBoth(portal.admin, elsewhere),
    receivers: receivers.map((receiver) => atBoth(receiver, elsewhere)),
    serviceId: (await newService()).id,
  }
}

async function place(by: Client, serviceId: number) {
  const { status, body, text } = await by.post('/orders', { serviceId })
  assert.equal(status, 201, text)
  return body.id as number
}
const claim = (by: Client, id: number) => by.patch(`/orders/${id}/confirm-receipt`)
const move = (by: Client, id: number, status: string) => by.patch(`/orders/${id}/status`, { status })
const rowOf = async (id: number) =>
  (
    await portal.sql<{ status: string; assigned: number | null }>('select status, assigned_to as assigned from orders where id = $1', [id])
  )[0]
const assertWhole = async () => assert.deepEqual(await findTorn(portal.sql), [])

function tally(outcomes: string[]) {
  const counts: Record<string, number> = {}
  for (const one of outcomes) counts[one] = (counts[one] ?? 0) + 1
  return counts
}

test(`of ${RACERS} simultaneous claims of one order, by ten receivers at two instances, one wins and the others get 409`, async () => {
  const { owner, receivers, serviceId } = await stage()
  const calls = Array.from({ length: RACERS }, (_, i) => receivers[(i >> 1) % receivers.length]![i & 1]!)
  for (let round = 0; round < deep(4, 2); round++) {
    const id = await place(owner[0], serviceId)
    let answers: Answer[] = []
    const { notices, events } = await portal.traces(async () => {
      answers = await Promise.all(calls.map((racer) => claim(racer, id)))
    })
    assert.deepEqual(tally(answers.map(outcome)), { '200': 1, '409 already_claimed': RACERS - 1 })
    const winner = calls[answers.findIndex(({ status }) => status === 200)]!
    assert.deepEqual(await rowOf(id), { status: 'received', assigned: winner.id })
    assert.deepEqual(notices, [{ user: owner[0].id, type: 'order', titleEn: 'Your order was received' }])
    const told = events
      .filter(({ event }) => event !== 'notifications_read')
      .map(({ event, data, to }) => ({ event, change: (data as { change?: string }).change, to: to?.length }))
    assert.deepEqual(told, [
      { event: 'notification_created', change: undefined, to: 1 },
      { event: 'order_updated', change: undefined, to: 1 },
      { event: 'order_incoming_changed', change: 'claimed', to: receivers.length + 1 },
    ])
  }
  await assertWhole()
})

interface Duel {
  name: string
  /** The two simultaneous actions, and the order they are about (0: the one that the first places). */
  meet: (stage: Stage) => Promise<{ id: number; acts: [Act, Act] }>
  /** Every ending that a serial order allows: both answers, and what is left. */
  endings: string[]
}

async function placed({ owner, serviceId }: Stage) {
  return place(owner[0], serviceId)
}
async function newcomer({ elsewhere }: Stage, roles: string[] = []) {
  return atBoth(await newPerson({ roles }), elsewhere)
}

const duels: Duel[] = [
  {
    name: 'a claim and a cancellation',
    meet: async (set) => {
      const id = await placed(set)
      return { id, acts: [(at) => claim(set.receivers[0]![at], id), (at) => move(set.owner[at], id, 'cancelled')] }
    },
    endings: ['200, 200: cancelled, assigned', '409 already_claimed, 200: cancelled'],
  },
  {
    name: 'a claim and a deletion by another receiver',
    meet: async (set) => {
      const id = await placed(set)
      return { id, acts: [(at) => claim(set.receivers[0]![at], id), (at) => set.receivers[1]![at].delete(`/orders/${id}`)] }
    },
    endings: ['200, 403 forbidden: received, assigned', '404 not_found, 204: gone'],
  },
  {
    name: 'a claim and a deletion by an administrator',
    meet: async (set) => {
      const id = await placed(set)
      return { id, acts: [(at) => claim(set.receivers[0]![at], id), (at) => set.admin[at].delete(`/orders/${id}`)] }
    },
    endings: ['200, 204: gone', '404 not_found, 204: gone'],
  },
  {
    name: 'a claim and the deletion of whoever claims',
    meet: async (set) => {
      const [id, receiver] = [await placed(set), await newcomer(set, ['order_receiver'])]
      return { id, acts: [(at) => claim(receiver[at], id), (at) => set.admin[at].delete(`/users/${receiver[0].id}`)] }
    },
    endings: ['200, 204: pending', '401 unauthorized, 204: pending'],
  },
  {
    name: 'the end of the work on an order and the deletion of whoever works on it',
    meet: async (set) => {
      const [id, receiver] = [await placed(set), await newcomer(set, ['order_receiver'])]
      await claim(receiver[0], id)
      return { id, acts: [(at) => move(receiver[at], id, 'completed'), (at) => set.admin[at].delete(`/users/${receiver[0].id}`)] }
    },
    endings: ['200, 204: completed', '401 unauthorized, 204: pending'],
  },
  {
    name: 'a claim and the forced deletion of the requester',
    meet: async (set) => {
      const requester = await newcomer(set)
      const id = await place(requester[0], set.serviceId)
      return { id, acts: [(at) => claim(set.receivers[0]![at], id), (at) => set.admin[at].delete(`/users/${requester[0].id}?force=true`)] }
    },
    endings: ['200, 204: gone', '404 not_found, 204: gone'],
  },
  ...[false, true].flatMap((force): Duel[] => [
    {
      name: `placing an order and the ${force ? 'forced' : 'plain'} deletion of its service`,
      meet: async (set) => {
        const { id: serviceId } = await newService()
        const order = (at: 0 | 1) => set.owner[at].post('/orders', { serviceId })
        return { id: 0, acts: [order, (at) => set.admin[at].delete(`/services/${serviceId}?force=${force}`)] }
      },
      endings: [force ? '201, 204: gone' : '201, 409 has_dependents: pending', '400 service_unavailable, 204: gone'],
    },
    {
      name: `placing an order and the ${force ? 'forced' : 'plain'} deletion of its requester`,
      meet: async (set) => {
        const requester = await newcomer(set)
        const order = (at: 0 | 1) => requester[at].post('/orders', { serviceId: set.serviceId })
        return { id: 0, acts: [order, (at) => set.admin[at].delete(`/users/${requester[0].id}?force=${force}`)] }
      },
      endings: [force ? '201, 204: gone' : '201, 409 has_dependents: pending', '401 unauthorized, 204: gone'],
    },
  ]),
]

async function stateOf(id: number) {
  const row = id ? await rowOf(id) : undefined
  return row ? `${row.status}${row.assigned ? ', assigned' : ''}` : 'gone'
}

for (const { name, meet, endings } of someOf(duels, 2))
  test(`${name}, simultaneously, end as in some serial order`, async () => {
    const set = await stage()
    await race(portal, endings, async () => {
      const { id, acts } = await meet(set)
      return { acts, describe: async ([{ body }]) => `: ${await stateOf(id || (body?.id ?? 0))}` }
    })
    await assertWhole()
  })

const ROUNDS = deep(24, 4)
test('simultaneous restores at the end of the undo window: either one succeeds or all are too late', async () => {
  const { owner, admin, serviceId } = await stage()
  const seen = new Set<string>()
  // Seconds since the cancellation: in time and late beyond doubt, then about the end of the window.
  const agos = [1, 30, ...Array.from({ length: ROUNDS }, (_, round) => 15 - (round * 3) / 1000)]
  for (const ago of agos) {
    const id = await place(owner[0], serviceId)
    await move(owner[0], id, 'cancelled')
    const moment = `clock_timestamp() - interval '${ago} seconds'`
    await portal.meddle('order', id, `update orders set cancelled_at = ${moment} where id = ${id}`)
    const answers = await Promise.all([...owner, ...admin, ...owner, ...admin].map((person) => move(person, id, 'pending')))
    const ending = JSON.stringify(tally(answers.map(outcome)))
    const left = await stateOf(id)
    const isLate = ending === '{"400 undo_window_expired":8}' && left === 'cancelled'
    const isInTime = answers.filter(({ status }) => status === 200).length === 1 && !ending.includes('expired') && left === 'pending'
    assert.ok(isLate || isInTime, `${ending}: ${left}`)
    seen.add(isLate ? 'late' : 'in time')
  }
  assert.deepEqual(seen, new Set(['in time', 'late']))
  await assertWhole()
})

const bulkDelete = (by: Client, ids: number[]) => by.post('/orders/bulk-delete', { ids })
const placeMany = (set: Stage, count: number) => Promise.all(Array.from({ length: count }, () => placed(set)))

test('two overlapping bulk deletions in opposite orders: each order is deleted by exactly one', async () => {
  const set = await stage()
  const { admin, receivers } = set
  for (let round = 0; round < ROUNDS; round++) {
    const ids = await placeMany(set, 20)
    const [ones, others] = [ids.slice(0, 15), ids.slice(5).reverse()]
    const answers = await Promise.all([bulkDelete(admin[0], ones), bulkDelete(receivers[0]![1], others)])
    assert.deepEqual(answers.map(outcome), ['200', '200'])
    const [one, other] = answers.map(({ body }) => body as { deletedIds: number[]; failedIds: number[] })
    assert.deepEqual(ascending([...one!.deletedIds, ...other!.deletedIds]), ascending(ids))
    assert.deepEqual(ascending([...one!.deletedIds, ...one!.failedIds]), ascending(ones))
    assert.deepEqual(ascending([...other!.deletedIds, ...other!.failedIds]), ascending(others))
  }
  await assertWhole()
})

test('a bulk deletion amid moves: an administrator’s deletes all, the requester’s those completed before it', async () => {
  const { admin, owner, receivers, serviceId } = await stage()
  const [receiver] = receivers as [Everywhere]
  const shares = new Set<string>()
  for (let round = 0; round < ROUNDS; round++) {
    const ids = await Promise.all(Array.from({ length: 20 }, () => place(owner[0], serviceId)))
    await Promise.all(ids.map((id) => claim(receiver[0], id)))
    const isAdmin = round % 2 === 0
    const complete = (id: number, n: number) => move(receiver[(n & 1) as 0 | 1], id, 'completed')
    // Some are completed before the deletion is asked for, others after it has answered.
    await Promise.all(ids.slice(0, 2).map(complete))
    const [deletion, ...moves] = await Promise.all([
      pause(2 * round).then(() => bulkDelete(isAdmin ? admin[1] : owner[1], ids.toReversed())),
      ...ids.slice(2, -2).map(complete),
    ])
    moves.push(...(await Promise.all(ids.slice(-2).map(complete))))
    assert.equal(outcome(deletion), '200')
    const allowed = isAdmin ? ['200', '404 not_found'] : ['200']
    assert.deepEqual(
      moves.map(outcome).filter((one) => !allowed.includes(one)),
      [],
    )
    const left = (await portal.sql<{ id: number }>('select id from orders where id = any($1) order by id', [ids])).map(({ id }) => id)
    assert.deepEqual(left, ascending(deletion.body.failedIds))
    if (isAdmin) assert.deepEqual(left, [])
    else for (const id of ids) if (ids.indexOf(id) < 2 || ids.indexOf(id) >= 18) shares.add(left.includes(id) ? 'left' : 'deleted')
  }
  assert.deepEqual([...shares].toSorted(), ['deleted', 'left'])
  await assertWhole()
})
