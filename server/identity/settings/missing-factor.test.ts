import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testPortal } from '../../../test/portal.ts'

const portal = testPortal()

test('active people whom a second factor would lock out are listed once each, with the moment of the lock-out', async () => {
  const { admin } = portal
  const roles = await Promise.all(['first', 'second'].map(async (name) => (await admin.post('/roles', { name })).body))
  const [held, inactive] = [await portal.person('held'), await portal.person('inactive')]
  for (const { id } of [held, inactive]) for (const { name } of roles) await admin.post(`/users/${id}/roles`, { roleName: name })
  await admin.patch(`/users/${inactive.id}`, { isActive: false })
  const roleIds = roles.map(({ id }) => id).join(',')
  const { status, body } = await admin.get(`/admin/sign-in/without-factor?roleIds=${roleIds}&graceDays=14`)
  assert.equal(status, 200)
  assert.deepEqual([body.totalCount, body.items.map(({ person }: { person: { id: number } }) => person.id)], [1, [held.id]])
  const days = (Date.parse(body.items[0].until) - Date.now()) / 86_400_000
  assert.ok(days > 13.9 && days < 14.1, String(days))
})

test('an administrator sees which ways to sign in a person has', async () => {
  const person = await portal.person('plain')
  const { status, body } = await portal.admin.get(`/users/${person.id}/factors`)
  assert.deepEqual([status, body], [200, { hasPassword: true, passkeyCount: 0, totpSince: null, recoveryCodesLeft: 0, duty: null }])
  assert.equal((await portal.admin.get('/users/2147483647/factors')).status, 404)
})
