import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers } from '../../../test/makers.ts'
import { testPortal, until } from '../../../test/portal.ts'

const portal = testPortal()
const { holderOf, newGroup, newPerson, newRole, newService } = makers(portal)
interface Receiver {
  user: { id: number }
  open: number
  present: boolean
}
const found = async (query = '') => ((await portal.admin.get(`/orders/receivers${query}`)).body as Receiver[]).map(({ user }) => user.id)

test('an administrator finds everyone who may receive orders, through a role or a group, sorted by displayed name', async () => {
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
  const user = { id: byGroup.id, username: byGroup.username, displayNameAr: null, displayNameEn: 'Bilal', avatarUrl: null }
  assert.deepEqual(body, [{ user, open: 0, present: false }])
})

test('receivers are listed with the number of their orders in work, people present at any instance first', async () => {
  const [first, last] = [await newPerson({ roles: ['order_receiver'] }), await newPerson({ roles: ['order_receiver'] })]
  for (const [person, name] of [
    [first, 'Open one'],
    [last, 'Open two'],
  ] as const)
    await portal.admin.patch(`/users/${person.id}`, { displayNameEn: name, displayNameAr: name })
  const service = await newService()
  for (const steps of [[], ['preparing'], ['preparing', 'completed']]) {
    const order = (await last.post('/orders', { serviceId: service.id })).body.id
    await first.patch(`/orders/${order}/confirm-receipt`)
    for (const status of steps) await first.patch(`/orders/${order}/status`, { status })
  }
  const listed = async () =>
    ((await portal.admin.get('/orders/receivers?q=open')).body as Receiver[]).map(({ user, open, present }) => [user.id, open, present])
  assert.deepEqual(await listed(), [
    [first.id, 2, false],
    [last.id, 0, false],
  ])
  const other = await portal.another()
  const stop = new AbortController()
  await fetch(`${other.base}/api/events`, { headers: { cookie: last.cookie }, signal: stop.signal })
  assert.deepEqual(await listed(), [
    [last.id, 0, true],
    [first.id, 2, false],
  ])
  stop.abort()
  await until('nobody is present', async () => (await listed()).every(([, , present]) => !present))
})

test('all receivers are listed by default', async () => {
  const many = await Promise.all(Array.from({ length: 25 }, () => newPerson({ roles: ['order_receiver'] })))
  const all = await found()
  assert.ok(many.every(({ id }) => all.includes(id)))
  assert.deepEqual(await found('?limit=500'), all)
})

test('only people who receive orders may list receivers', async () => {
  assert.equal((await (await newPerson()).get('/orders/receivers')).status, 403)
  assert.equal((await (await newPerson({ roles: ['order_receiver'] })).get('/orders/receivers')).status, 200)
})
