/** Who may work on an order changes while somebody begins to: the order never stays with someone who may not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findTorn } from '../../test/ledger.ts'
import { makers } from '../../test/makers.ts'
import { Client, testPortal } from '../../test/portal.ts'
import { type Act, race } from '../../test/race.ts'

const portal = testPortal()
const { holderOf, newPerson, newRole, newService } = makers(portal)

/** One person, signed in at both instances. */
type Everywhere = [Client, Client]
let other: Promise<string> | undefined
const elsewhere = () => (other ??= portal.another().then(({ base }) => base))
async function atBoth(person: Client): Promise<Everywhere> {
  const { cookie, id, username } = person
  return [person, Object.assign(new Client(await elsewhere()), { cookie, id, username })]
}

async function furnish() {
  const role = await newRole(['orders.receive'])
  const [receiver, owner, admin] = [await atBoth(await holderOf(role)), await atBoth(await newPerson()), await atBoth(portal.admin)]
  const { id } = (await owner[0].post('/orders', { serviceId: (await newService()).id })).body
  return { role, receiver, owner, admin, id: id as number }
}
type Scene = Awaited<ReturnType<typeof furnish>>

const claim = ({ receiver, id }: Scene) => receiver[0].patch(`/orders/${id}/confirm-receipt`)
const status = (by: Everywhere, at: 0 | 1, id: number, to: string) => by[at].patch(`/orders/${id}/status`, { status: to })
const losses: Record<string, (scene: Scene) => Act> = {
  'the loss of a role':
    ({ admin, receiver, role }) =>
    (at) =>
      admin[at].delete(`/users/${receiver[0].id}/roles/${role.name}`),
  'the loss of a permission':
    ({ admin, role }) =>
    (at) =>
      admin[at].put(`/roles/${role.id}/permissions`, { permissionIds: [] }),
  'a deactivation':
    ({ admin, receiver }) =>
    (at) =>
      admin[at].patch(`/users/${receiver[0].id}`, { isActive: false }),
}
/** By the loss: how it answers, and how those who have lost the right already are refused. */
const answers: Record<string, [number, string]> = {
  'the loss of a role': [200, '403 forbidden'],
  'the loss of a permission': [200, '403 forbidden'],
  'a deactivation': [200, '401 unauthorized'],
}

async function left(id: number) {
  const [row] = await portal.sql<{ status: string; assigned: number | null }>(
    'select status, assigned_to as assigned from orders where id = $1',
    [id],
  )
  return `: ${row!.status}${row!.assigned ? ', assigned' : ''}`
}

for (const [name, lose] of Object.entries(losses)) {
  const [done, refused] = answers[name]!
  const meets = (act: (scene: Scene) => Act, prepare?: (scene: Scene) => Promise<unknown>) => async () => {
    const scene = await furnish()
    await prepare?.(scene)
    return { acts: [act(scene), lose(scene)] as [Act, Act], describe: () => left(scene.id) }
  }

  test(`a claim and ${name}, simultaneously, leave the order with nobody`, async () => {
    const act =
      ({ receiver, id }: Scene) =>
      (at: 0 | 1) =>
        receiver[at].patch(`/orders/${id}/confirm-receipt`)
    await race(portal, [`200, ${done}: pending`, `${refused}, ${done}: pending`], meets(act))
    assert.deepEqual(await findTorn(portal.sql), [])
  })

  test(`the end of the work on an order and ${name}, simultaneously, end as one after the other`, async () => {
    const act =
      ({ receiver, id }: Scene) =>
      (at: 0 | 1) =>
        status(receiver, at, id, 'completed')
    const endings = [`200, ${done}: completed, assigned`, `${refused}, ${done}: pending`]
    await race(portal, endings, meets(act, claim))
    assert.deepEqual(await findTorn(portal.sql), [])
  })

  test(`an administrator hands someone an order while ${name}: they do not keep it`, async () => {
    const act =
      ({ admin, receiver, id }: Scene) =>
      (at: 0 | 1) =>
        admin[at].post(`/orders/${id}/assign`, { userId: receiver[0].id })
    const code = name === 'a deactivation' ? 'unknown_ids' : 'validation_failed'
    await race(portal, [`200, ${done}: pending`, `400 ${code}, ${done}: pending`], meets(act))
  })

  test(`a cancellation is undone while ${name}: the order does not come back to whoever had it`, async () => {
    const act =
      ({ owner, id }: Scene) =>
      (at: 0 | 1) =>
        status(owner, at, id, 'received')
    const cancel = async (scene: Scene) => {
      await claim(scene)
      await status(scene.owner, 0, scene.id, 'cancelled')
    }
    await race(portal, [`200, ${done}: pending`, `400 invalid_transition, ${done}: cancelled, assigned`], meets(act, cancel))
  })
}

const both = async (one: (scene: Scene) => Act, another: (scene: Scene) => Act) => {
  const scene = await furnish()
  await claim(scene)
  return { acts: [one(scene), another(scene)] as [Act, Act], describe: () => left(scene.id) }
}
const release =
  ({ receiver, id }: Scene) =>
  (at: 0 | 1) =>
    receiver[at].post(`/orders/${id}/release`)

test('giving an order back and completing it, simultaneously, end as one after the other', async () => {
  const complete =
    ({ receiver, id }: Scene) =>
    (at: 0 | 1) =>
      status(receiver, at, id, 'completed')
  await race(portal, ['200, 403 forbidden: pending', '400 invalid_transition, 200: completed, assigned'], () => both(release, complete))
})

test('of two who give an order back at once, one does', async () => {
  const byAdmin =
    ({ admin, id }: Scene) =>
    (at: 0 | 1) =>
      admin[at].post(`/orders/${id}/release`)
  await race(portal, ['200, 400 invalid_transition: pending', '403 forbidden, 200: pending'], () => both(release, byAdmin))
})

test('a claim and the handing over of the same order, simultaneously, end as one after the other', async () => {
  const chosen = await holderOf('orders.receive')
  const assign =
    ({ admin, id }: Scene) =>
    (at: 0 | 1) =>
      admin[at].post(`/orders/${id}/assign`, { userId: chosen.id })
  await race(portal, ['200, 200: received, assigned', '409 already_claimed, 200: received, assigned'], async () => {
    const scene = await furnish()
    const act: Act = (at) => scene.receiver[at].patch(`/orders/${scene.id}/confirm-receipt`)
    return { acts: [act, assign(scene)], describe: () => left(scene.id) }
  })
  assert.deepEqual(await findTorn(portal.sql), [])
})
