/** A receiver who loses the right while acting on an order never keeps the order. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findTorn } from '../../../test/ledger.ts'
import { makers } from '../../../test/makers.ts'
import { testPortal } from '../../../test/portal.ts'
import { type Act, type AtBoth, race, twoInstances } from '../../../test/race.ts'

const portal = testPortal()
const { holderOf, newPerson, newRole, newService } = makers(portal)
const atBoth = twoInstances(portal)

let made: ReturnType<typeof holderOf> | undefined
const another = () => (made ??= holderOf('orders.receive'))

/** A pending order, and actions on it. The receiver has the right to receive orders by one role only. */
async function newOrder() {
  const role = await newRole(['orders.receive'])
  const [receiver, owner, admin] = [await atBoth(await holderOf(role)), await atBoth(await newPerson()), await atBoth(portal.admin)]
  const [[{ id: receiverId }], { id: anotherId }] = [receiver, await another()]
  const { id } = (await owner[0].post('/orders', { serviceId: (await newService()).id })).body as { id: number }

  const move =
    (by: AtBoth, status: string): Act =>
    (at) =>
      by[at].patch(`/orders/${id}/status`, { status })
  const acts = {
    claim: (at) => receiver[at].patch(`/orders/${id}/confirm-receipt`),
    complete: move(receiver, 'completed'),
    release: (at) => receiver[at].post(`/orders/${id}/release`),
    cancel: move(owner, 'cancelled'),
    restore: move(owner, 'received'),
    releaseByAdmin: (at) => admin[at].post(`/orders/${id}/release`),
    assign: (at) => admin[at].post(`/orders/${id}/assign`, { userId: receiverId }),
    assignToAnother: (at) => admin[at].post(`/orders/${id}/assign`, { userId: anotherId }),
    loseRole: (at) => admin[at].delete(`/users/${receiverId}/roles/${role.name}`),
    losePermission: (at) => admin[at].put(`/roles/${role.id}/permissions`, { permissionIds: [] }),
    deactivate: (at) => admin[at].patch(`/users/${receiverId}`, { isActive: false }),
  } satisfies Record<string, Act>
  return { id, acts }
}
type ActName = keyof Awaited<ReturnType<typeof newOrder>>['acts']

async function stateOf(id: number) {
  const [row] = await portal.sql<{ status: string; assigned_to: number | null }>('select status, assigned_to from orders where id = $1', [
    id,
  ])
  return `${row!.status}${row!.assigned_to ? ', assigned' : ''}`
}

/** Races two actions on new orders, each of which has first gone through the actions `before`, and checks the results. */
async function assertEndings([one, other]: [ActName, ActName], endings: string[], before: ActName[] = []) {
  await race(portal, endings, async () => {
    const { id, acts } = await newOrder()
    for (const name of before) await acts[name](0)
    return { acts: [acts[one], acts[other]], describe: async () => `: ${await stateOf(id)}` }
  })
  assert.deepEqual(await findTorn(portal.sql), [])
}

/** The ways to lose the right to receive orders, and the refusals that follow each. */
for (const [loss, lose, refused, unassignable] of [
  ['the loss of a role', 'loseRole', '403 forbidden', 'validation_failed'],
  ['the loss of a permission', 'losePermission', '403 forbidden', 'validation_failed'],
  ['a deactivation', 'deactivate', '401 unauthorized', 'unknown_ids'],
] as const) {
  test(`a claim during ${loss} leaves the order pending`, () =>
    assertEndings(['claim', lose], ['200, 200: pending', `${refused}, 200: pending`]))

  test(`a completion during ${loss} either succeeds, or is refused and leaves the order pending`, () =>
    assertEndings(['complete', lose], ['200, 200: completed, assigned', `${refused}, 200: pending`], ['claim']))

  test(`an order assigned during ${loss} is pending afterwards`, () =>
    assertEndings(['assign', lose], ['200, 200: pending', `400 ${unassignable}, 200: pending`]))

  test(`a cancelled order restored during ${loss} does not return to its receiver`, () =>
    assertEndings(['restore', lose], ['200, 200: pending', '400 invalid_transition, 200: cancelled, assigned'], ['claim', 'cancel']))
}

test('an order released and completed at once is pending or completed, and one of the two calls is refused', () =>
  assertEndings(['release', 'complete'], ['200, 403 forbidden: pending', '400 invalid_transition, 200: completed, assigned'], ['claim']))

test('of two simultaneous releases of an order, one succeeds', () =>
  assertEndings(['release', 'releaseByAdmin'], ['200, 400 invalid_transition: pending', '403 forbidden, 200: pending'], ['claim']))

test('an order claimed and assigned at once belongs to its assignee', () =>
  assertEndings(['claim', 'assignToAnother'], ['200, 200: received, assigned', '409 already_claimed, 200: received, assigned']))
