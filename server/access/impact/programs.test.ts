/** Service accounts in previews: they are in no list of people, and the orders that they work on are returned like a person’s. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers } from '../../../test/makers.ts'
import { testPortal } from '../../../test/portal.ts'
import { addProgram } from '../../../test/service-accounts.ts'
import { tokenOf } from '../../../test/tokens.ts'

const portal = testPortal()
const make = makers(portal)

test('a service account returns its order only if a plan takes its right away, and stays in a group whose set of people is replaced', async () => {
  const [role, owner, service] = [await make.newRole(['orders.receive']), await make.newPerson(), await make.newService()]
  const group = await make.newGroup({ roleIds: [role.id] })
  const { id, username } = await addProgram(portal, 'kitchen', { groupIds: [group.id] })
  const program = await tokenOf(portal, id, { kind: 'service', scopes: ['orders:receive'] })
  const { body: order } = await owner.post('/orders', { serviceId: service.id })
  assert.equal((await program.patch(`/orders/${order.id}/confirm-receipt`)).status, 200)
  const outcomeOf = async (change: object) => {
    const { status, body, text } = await portal.admin.post('/admin/impact', { changes: [change] })
    assert.equal(status, 200, text)
    const returned = body.ordersReturned.map((one: { orderId: number; user: { username: string } }) => [one.orderId, one.user.username])
    return { returned, losesCount: body.losesCount, noChange: body.noChange }
  }
  const [untouched, taken] = [
    { returned: [], losesCount: 0, noChange: true },
    { returned: [[order.id, username]], losesCount: 0, noChange: false },
  ]
  assert.deepEqual(await outcomeOf({ kind: 'user', id: owner.id, set: { groupIds: [] } }), { ...untouched, noChange: false })
  assert.deepEqual(await outcomeOf({ kind: 'group', id: group.id, set: { userIds: [] } }), untouched)
  assert.deepEqual(await outcomeOf({ kind: 'group', id: group.id, remove: { userIds: [id] } }), taken)
  assert.deepEqual(await outcomeOf({ kind: 'group', id: group.id, delete: true }), taken)
  assert.deepEqual(await outcomeOf({ kind: 'role', id: role.id, set: { permissionIds: [] } }), taken)
})

test('a role that a person holds does not go, even if a service account ceases to hold it', async () => {
  const role = await make.newRole()
  await make.newPerson({ roles: [role.name] })
  const { id } = await addProgram(portal, 'robot', { roles: [role.name] })
  const taken = { kind: 'role', id: role.id, remove: { userIds: [id] } }
  const deleted = { kind: 'role', id: role.id, delete: true }
  const { status, body } = await portal.admin.post('/admin/impact', { changes: [taken, deleted] })
  assert.deepEqual([status, body.code, body.userCount], [409, 'has_dependents', 1])
})
