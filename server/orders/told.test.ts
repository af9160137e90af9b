import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ascending, makers } from '../../test/makers.ts'
import { testPortal } from '../../test/portal.ts'

const portal = testPortal()
const { holderOf, newGroup, newPerson, newRole, newService } = makers(portal)

test('a new order is told to everyone active who may receive it, once, whichever way they came by the right', async () => {
  const [granting, other] = [await newRole(['orders.receive']), await newRole(['portal.it'])]
  const [byRole, byGroup, byBoth, inactive] = [
    await holderOf(granting),
    await newPerson(),
    await holderOf(granting),
    await holderOf(granting),
  ]
  await newGroup({ userIds: [byGroup.id, byBoth.id], roleIds: [granting.id, other.id] })
  const [withOther, inOtherGroup] = [await holderOf(other), await newPerson()]
  await newGroup({ userIds: [inOtherGroup.id], roleIds: [other.id] })
  await portal.admin.patch(`/users/${inactive.id}`, { isActive: false })

  const service = await newService()
  const { notices } = await portal.traces(() => withOther.post('/orders', { serviceId: service.id }))
  const told = ascending(notices.map(({ user }) => user))
  assert.deepEqual(told, ascending([portal.admin.id, byRole.id, byGroup.id, byBoth.id]))
})
