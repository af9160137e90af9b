/** Simultaneous actions on an order at two instances give the same result as some sequence of them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { findTorn } from '../../../test/ledger.ts'
import { ascending, makers } from '../../../test/makers.ts'
import { type Client, testPortal } from '../../../test/portal.ts'
import { type Act, type AtBoth, outcome, race, twoInstances } from '../../../test/race.ts'

const portal = testPortal()
const { newPerson, newService } = makers(portal)
const atBoth = twoInstances(portal)
const SIMULTANEOUS = 1000
const ROUNDS = 24

async function newSetting() {
  const receivers = await Promise.all(Array.from({ length: 10 }, () => newPerson({ roles: ['order_receiver'] })))
  return {
    owner: await atBoth(await newPerson()),
    admin: await atBoth(portal.admin),
    receivers: await Promise.all(receivers.map(atBoth)),
    serviceId: (await newService()).id,
  }
}
type Setting = Awaited<ReturnType<typeof newSetting>>
let made: Promise<Setting> | undefined
const setting = () => (made ??= newSetting())

async function place(by: AtBoth, serviceId: number) {
  const { status, body, text } = await by[0].post('/orders', { serviceId })
  assert.equal(status, 201, text)
  return body.id as number
}
const claim = (by: Client, id: number) => by.patch(`/orders/${id}/confirm-receipt`)
const move = (by: Client, id: number, status: string) => by.patch(`/orders/${id}/status`, { status })
const bulkDelete = (by: Client, ids: number[]) => by.post('/orders/bulk-delete', { ids })
const placeMany = ({ owner, serviceId }: Setting) => Promise.all(Array.from({ length: 20 }, () => place(owner, serviceId)))

async function rowOf(id: number) {
  const [row] = await portal.sql<{ status: string; assigned: number | null }>(
    'select status, assigned_to as assigned from orders where id = $1',
    [id],
  )
  return row
}
async function stateOf(id: number) {
  const row = await rowOf(id)
  return row ? `${row.status}${row.assigned ? ', assigned' : ''}` : 'gone'
}
const assertWhole = async () => assert.deepEqual(await findTorn(portal.sql), [])

function tally(outcomes: string[]) {
  const counts: Record<string, number> = {}
  for (const one of outcomes) counts[one] = (counts[one] ?? 0) + 1
  return counts
}

/** The clients that claim at once: each receiver several times, at both instances. */
const claimantsAmong = (receivers: AtBoth[]) =>
  Array.from({ length: SIMULTANEOUS }, (_, n) => receivers[(n >> 1) % receivers.length]![n & 1]!)

test(`of ${SIMULTANEOUS} simultaneous claims of one order, by ten receivers at two instances, one wins and the rest get 409`, async () => {
  const { owner, receivers, serviceId } = await setting()
  const claimants = claimantsAmong(receivers)
  for (let round = 0; round < 4; round++) {
    const id = await place(owner, serviceId)
    const answers = await Promise.all(claimants.map((claimant) => claim(claimant, id)))
    assert.deepEqual(tally(answers.map(outcome)), { '200': 1, '409 already_claimed': SIMULTANEOUS - 1 })
    const winner = claimants[answers.findIndex(({ status }) => status === 200)]!
    assert.deepEqual(await rowOf(id), { status: 'received', assigned: winner.id })
  }
  await assertWhole()
})

test('simultaneous claims of one order leave the traces of one claim', async () => {
  const { owner, receivers, serviceId } = await setting()
  const id = await place(owner, serviceId)
  const { notices, events } = await portal.traces(() => Promise.all(claimantsAmong(receivers).map((claimant) => claim(claimant, id))))
  assert.deepEqual(notices, [{ user: owner[0].id, type: 'order', titleEn: 'Your order was claimed' }])
  const seen = events
    .filter(({ event }) => event !== 'notifications_read')
    .map(({ event, data, to }) => ({ event, change: (data as { change?: string }).change, to: to?.length }))
  assert.deepEqual(seen, [
    { event: 'notification_created', change: undefined, to: 1 },
    { event: 'order_updated', change: undefined, to: 1 },
    { event: 'order_incoming_changed', change: 'claimed', to: receivers.length + 1 },
  ])
})

/** Two simultaneous acts on an order; one of them may be the act that places it. */
interface Race {
  name: string
  prepare: (set: Setting) => Promise<{ id?: number; acts: [Act, Act] }>
  /** The possible results if the acts are done one after the other: both answers, and the final state. */
  endings: string[]
}

/** Places an order. Returns its id, its path, and the act by which a receiver claims it. */
async function newOrder({ owner, receivers, serviceId }: Setting, by: { requester?: AtBoth; receiver?: AtBoth } = {}) {
  const { requester = owner, receiver = receivers[0]! } = by
  const id = await place(requester, serviceId)
  return { id, path: `/orders/${id}`, claim: ((at) => claim(receiver[at], id)) as Act }
}
const newRequester = async () => atBoth(await newPerson())
const newReceiver = async () => atBoth(await newPerson({ roles: ['order_receiver'] }))

const races: Race[] = [
  {
    name: 'a claim and a cancellation',
    prepare: async (set) => {
      const { id, claim } = await newOrder(set)
      return { id, acts: [claim, (at) => move(set.owner[at], id, 'cancelled')] }
    },
    endings: ['200, 200: cancelled, assigned', '409 already_claimed, 200: cancelled'],
  },
  {
    name: 'a claim and a deletion by another receiver',
    prepare: async (set) => {
      const { id, path, claim } = await newOrder(set)
      return { id, acts: [claim, (at) => set.receivers[1]![at].delete(path)] }
    },
    endings: ['200, 403 forbidden: received, assigned', '404 not_found, 204: gone'],
  },
  {
    name: 'a claim and a deletion by an administrator',
    prepare: async (set) => {
      const { id, path, claim } = await newOrder(set)
      return { id, acts: [claim, (at) => set.admin[at].delete(path)] }
    },
    endings: ['200, 204: gone', '404 not_found, 204: gone'],
  },
  {
    name: 'a claim and the deletion of the claimant',
    prepare: async (set) => {
      const receiver = await newReceiver()
      const { id, claim } = await newOrder(set, { receiver })
      return { id, acts: [claim, (at) => set.admin[at].delete(`/users/${receiver[0].id}`)] }
    },
    endings: ['200, 204: pending', '401 unauthorized, 204: pending'],
  },
  {
    name: 'the completion of an order and the deletion of its assignee',
    prepare: async (set) => {
      const receiver = await newReceiver()
      const { id, claim } = await newOrder(set, { receiver })
      await claim(0)
      return { id, acts: [(at) => move(receiver[at], id, 'completed'), (at) => set.admin[at].delete(`/users/${receiver[0].id}`)] }
    },
    endings: ['200, 204: completed', '401 unauthorized, 204: pending'],
  },
  {
    name: 'a claim and the forced deletion of the requester',
    prepare: async (set) => {
      const requester = await newRequester()
      const { id, claim } = await newOrder(set, { requester })
      return { id, acts: [claim, (at) => set.admin[at].delete(`/users/${requester[0].id}?force=true`)] }
    },
    endings: ['200, 204: gone', '404 not_found, 204: gone'],
  },
  ...[false, true].flatMap((force): Race[] => [
    {
      name: `the placing of an order and the ${force ? 'forced' : 'plain'} deletion of its service`,
      prepare: async ({ owner, admin }) => {
        const { id: serviceId } = await newService()
        return {
          acts: [(at) => owner[at].post('/orders', { serviceId }), (at) => admin[at].delete(`/services/${serviceId}?force=${force}`)],
        }
      },
      endings: [force ? '201, 204: gone' : '201, 409 has_dependents: pending', '400 service_unavailable, 204: gone'],
    },
    {
      name: `the placing of an order and the ${force ? 'forced' : 'plain'} deletion of its requester`,
      prepare: async ({ admin, serviceId }) => {
        const requester = await newRequester()
        const order: Act = (at) => requester[at].post('/orders', { serviceId })
        return { acts: [order, (at) => admin[at].delete(`/users/${requester[0].id}?force=${force}`)] }
      },
      endings: [force ? '201, 204: gone' : '201, 409 has_dependents: pending', '401 unauthorized, 204: gone'],
    },
  ]),
]

for (const { name, prepare, endings } of races)
  test(`${name}, simultaneously, give the same result as one after the other`, async () => {
    const set = await setting()
    await race(portal, endings, async () => {
      const { id, acts } = await prepare(set)
      return { acts, describe: async ([{ body }]) => `: ${await stateOf(id ?? body?.id ?? 0)}` }
    })
    await assertWhole()
  })

/** Restores an order eight times at once, `secondsAgo` seconds after its cancellation; returns the answers’ counts and the status left. */
async function restoreAtOnce({ owner, admin, serviceId }: Setting, secondsAgo: number) {
  const id = await place(owner, serviceId)
  await move(owner[0], id, 'cancelled')
  const moment = `clock_timestamp() - interval '${secondsAgo} seconds'`
  await portal.meddle('order', id, `update orders set cancelled_at = ${moment} where id = ${id}`)
  const answers = await Promise.all([...owner, ...admin, ...owner, ...admin].map((person) => move(person, id, 'pending')))
  return { counts: tally(answers.map(outcome)), left: await stateOf(id) }
}

test('simultaneous restores at the end of the undo window: either one succeeds or all are too late', async () => {
  const set = await setting()
  const seen = new Set<string>()
  // Clearly in time, clearly late, and around the end of the window.
  for (const secondsAgo of [1, 30, ...Array.from({ length: ROUNDS }, (_, round) => 15 - (round * 3) / 1000)]) {
    const { counts, left } = await restoreAtOnce(set, secondsAgo)
    if (left === 'cancelled') assert.deepEqual(counts, { '400 undo_window_expired': 8 })
    else assert.deepEqual([left, counts['200'], counts['400 undo_window_expired']], ['pending', 1, undefined])
    seen.add(left)
  }
  assert.deepEqual(seen, new Set(['pending', 'cancelled']))
  await assertWhole()
})

test('two overlapping bulk deletions in opposite order delete each order exactly once', async () => {
  const set = await setting()
  for (let round = 0; round < ROUNDS; round++) {
    const ids = await placeMany(set)
    const [ones, others] = [ids.slice(0, 15), ids.slice(5).reverse()]
    const answers = await Promise.all([bulkDelete(set.admin[0], ones), bulkDelete(set.receivers[0]![1], others)])
    assert.deepEqual(answers.map(outcome), ['200', '200'])
    const [one, other] = answers.map(({ body }) => body as { deletedIds: number[]; failedIds: number[] })
    assert.deepEqual(ascending([...one!.deletedIds, ...other!.deletedIds]), ascending(ids))
    assert.deepEqual(ascending([...one!.deletedIds, ...one!.failedIds]), ascending(ones))
    assert.deepEqual(ascending([...other!.deletedIds, ...other!.failedIds]), ascending(others))
  }
  await assertWhole()
})

/** Completes claimed orders: the first two before a bulk deletion, the last two after it, and the rest at the same time. */
async function deleteAmidCompletions(set: Setting, by: Client, delay: number) {
  const receiver = set.receivers[0]!
  const ids = await placeMany(set)
  await Promise.all(ids.map((id) => claim(receiver[0], id)))
  const complete = (id: number, n: number) => move(receiver[(n & 1) as 0 | 1], id, 'completed')
  await Promise.all(ids.slice(0, 2).map(complete))
  const [deletion, ...amid] = await Promise.all([
    pause(delay).then(() => bulkDelete(by, ids.toReversed())),
    ...ids.slice(2, -2).map(complete),
  ])
  const afterwards = await Promise.all(ids.slice(-2).map(complete))
  const rows = await portal.sql<{ id: number }>('select id from orders where id = any($1) order by id', [ids])
  const left = rows.map(({ id }) => id)
  assert.equal(outcome(deletion), '200')
  assert.deepEqual(left, ascending(deletion.body.failedIds))
  return { ids, left, completions: new Set([...amid, ...afterwards].map(outcome)) }
}

test('a bulk deletion by an administrator during completions deletes every order', async () => {
  const set = await setting()
  for (let round = 0; round < ROUNDS; round += 2) {
    const { left, completions } = await deleteAmidCompletions(set, set.admin[1], 2 * round)
    assert.deepEqual([left, completions.difference(new Set(['200', '404 not_found']))], [[], new Set()])
  }
  await assertWhole()
})

test('a bulk deletion by the requester during completions deletes only the orders completed before it', async () => {
  const set = await setting()
  for (let round = 1; round < ROUNDS; round += 2) {
    const { ids, left, completions } = await deleteAmidCompletions(set, set.owner[1], 2 * round)
    assert.deepEqual(completions, new Set(['200']))
    const isLeft = (id: number) => left.includes(id)
    assert.deepEqual([ids.slice(0, 2).some(isLeft), ids.slice(-2).every(isLeft)], [false, true])
  }
  await assertWhole()
})
