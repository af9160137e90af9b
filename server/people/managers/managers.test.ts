/** The managers of people: administrators set them, one by one or many at once. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededPortal } from '../../../test/seed.ts'
import { addProgram } from '../../../test/service-accounts.ts'

const { portal, org, make } = seededPortal()

const set = (id: number, userId: number | null) => org.admin.put(`/users/${id}/manager`, { userId })

test('an administrator sets the manager of a person, who reads it and is told', async () => {
  const path = `/users/${org.huda.id}/manager`
  assert.deepEqual((await org.admin.get(path)).body, { userId: null, manager: null })
  const stream = await org.huda.listen()
  const { status, body } = await set(org.huda.id, org.maha.id)
  assert.deepEqual([status, body.userId, body.manager.username], [200, org.maha.id, 'maha'])
  await stream.next('me_changed')
  stream.close()
  assert.deepEqual((await org.huda.get('/auth/me/manager')).body, body)
  const [entry] = await portal.sql<{ action: string; facts: object }>(
    `select action, facts from ledger where kind = 'user.manager_changed'`,
  )
  assert.deepEqual(entry, { action: 'user.manager.update', facts: { changed: { managerId: { from: null, to: org.maha.id } } } })
  assert.equal((await org.huda.get(path)).status, 403)
  assert.equal((await org.huda.put(path, { userId: null })).status, 403)
})

test('people do not see an inactive manager, and a deleted manager is gone for administrators, too', async () => {
  const [idle, gone] = [await make.newPerson(), await make.newPerson()]
  await set(org.omar.id, idle.id)
  await org.admin.patch(`/users/${idle.id}`, { isActive: false })
  assert.equal((await org.omar.get('/auth/me/manager')).body.userId, null)
  // An inactive manager may be saved again.
  assert.equal((await set(org.omar.id, idle.id)).status, 200)
  await set(org.omar.id, gone.id)
  await org.admin.delete(`/users/${gone.id}`)
  assert.equal((await org.admin.get(`/users/${org.omar.id}/manager`)).body.userId, null)
  assert.equal((await set(org.omar.id, null)).body.userId, null)
})

test('a person cannot be their own manager, and unknown people, inactive people and programs cannot be managers', async () => {
  const program = await addProgram(portal, 'robot')
  const idle = await make.newPerson()
  await org.admin.patch(`/users/${idle.id}`, { isActive: false })
  const own = await set(org.huda.id, org.huda.id)
  assert.deepEqual([own.status, own.body.details[0].path, own.body.details[0].rule], [400, 'userId', 'notSelf'])
  for (const id of [999_999, idle.id, program.id]) {
    const { status, body } = await set(org.huda.id, id)
    assert.deepEqual([status, body.code, body.unknownIds], [400, 'unknown_ids', [id]])
  }
  for (const id of [999_999, program.id]) {
    assert.equal((await org.admin.get(`/users/${id}/manager`)).status, 404)
    assert.equal((await set(id, org.maha.id)).status, 404)
  }
})

test('when many managers are set at once, the valid ones are set and the rest are listed as failed', async () => {
  const [one, other, third] = [await make.newPerson(), await make.newPerson(), await make.newPerson()]
  const items = [
    { userId: one.id, managerId: org.maha.id },
    { userId: other.id, managerId: other.id },
    { userId: third.id, managerId: 999_999 },
    { userId: 999_998, managerId: org.maha.id },
    { userId: one.id, managerId: org.tariq.id },
  ]
  const { status, body } = await org.admin.put('/users/managers', { items })
  assert.deepEqual([status, body], [200, { doneIds: [one.id], failedIds: [other.id, third.id, 999_998] }])
  assert.equal((await org.admin.get(`/users/${one.id}/manager`)).body.userId, org.tariq.id)
  // An inactive manager may be saved again for the same person, but not for another.
  const idle = await make.newPerson()
  await set(one.id, idle.id)
  await org.admin.patch(`/users/${idle.id}`, { isActive: false })
  const again = [one, other].map(({ id }) => ({ userId: id, managerId: idle.id }))
  assert.deepEqual((await org.admin.put('/users/managers', { items: again })).body, { doneIds: [one.id], failedIds: [other.id] })
  await org.admin.put('/users/managers', { items: [{ userId: one.id, managerId: null }] })
  assert.equal((await org.admin.get(`/users/${one.id}/manager`)).body.userId, null)
  assert.equal((await org.admin.put('/users/managers', { items: [] })).status, 400)
})
