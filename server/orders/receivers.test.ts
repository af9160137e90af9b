import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idsIn, makers } from '../../test/makers.ts'
import { testPortal } from '../../test/portal.ts'

const portal = testPortal()
const { holderOf, newGroup, newPerson, newRole } = makers(portal)
const found = async (query = '') => idsIn(await portal.admin.get(`/orders/receivers${query}`))

test('an administrator finds those who may receive orders, however they came by the right, by the name they see', async () => {
  await portal.admin.patch('/auth/me/language', { language: 'en' })
  const role = await newRole(['orders.receive'])
  const [byRole, byGroup, inactive] = [await holderOf(role), await newPerson(), await holderOf(role)]
  await newGroup({ userIds: [byGroup.id], roleIds: [role.id] })
  await newPerson()
  await portal.admin.patch(`/users/${inactive.id}`, { isActive: false })
  await portal.admin.patch(`/users/${byRole.id}`, { displayNameEn: 'Zaynab', displayNameAr: 'زينب أحمد' })
  await portal.admin.patch(`/users/${byGroup.id}`, { displayNameEn: 'Bilal' })
  assert.deepEqual(await found(), [portal.admin.id, byGroup.id, byRole.id])
  assert.deepEqual([await found('?limit=1'), await found('?limit=1&offset=2')], [[portal.admin.id], [byRole.id]])
  assert.deepEqual([await found('?q=zAY'), await found('?q=احمد'), await found(`?q=${byGroup.username}@`)], [[byRole.id], [byRole.id], []])
  const { body } = await portal.admin.get('/orders/receivers?q=bilal')
  assert.deepEqual(body, [{ id: byGroup.id, username: byGroup.username, displayNameAr: null, displayNameEn: 'Bilal', avatarUrl: null }])
})

test('20 receivers are listed unless more are asked for', async () => {
  await Promise.all(Array.from({ length: 25 }, () => newPerson({ roles: ['order_receiver'] })))
  assert.equal((await found()).length, 20)
  assert.ok((await found('?limit=500')).length > 25)
})

test('who may not hand an order to a receiver may not list them', async () => {
  for (const person of [await newPerson(), await newPerson({ roles: ['order_receiver'] })])
    assert.equal((await person.get('/orders/receivers')).status, 403)
})
