/** Closing leaves an administrator, and skips items that nobody could judge. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { reviewing } from '../../../test/access-reviews.ts'
import { addPasskey } from '../../../test/factors.ts'
import { makers } from '../../../test/makers.ts'
import { PASSWORD, testPortal, until } from '../../../test/portal.ts'
import { lastAdminItems } from './rules.ts'

const portal = testPortal()
const make = makers(portal)
const { open, itemsOf, itemOf, judge, close, preview } = reviewing(portal)

/** An administrator who could sign in where a provider is required. */
async function exception() {
  const one = await make.newPerson({ roles: ['admin'] })
  await portal.admin.post(`/users/${one.id}/sign-in-exception`)
  await one.post('/auth/me/password', { currentPassword: PASSWORD, newPassword: 'fourteen characters' })
  await addPasskey(one)
  return one
}

test('when grants are removed one after the other, the last one that makes an administrator stays', () => {
  const grant = (userId: number, kind: 'group' | 'role' = 'role', targetId = 1) => ({ userId, kind, targetId })
  const items = (...grants: ReturnType<typeof grant>[]) => grants.map((one, n) => ({ id: n + 1, ...one }))
  const needed = (some: ReturnType<typeof items>, all: ReturnType<typeof grant>[]) => [...lastAdminItems(some, all)]
  assert.deepEqual(needed(items(grant(1), grant(2)), [grant(1), grant(2)]), [2])
  assert.deepEqual(needed(items(grant(1), grant(2)), [grant(1), grant(2), grant(3)]), [])
  assert.deepEqual(needed(items(grant(1), grant(1, 'group', 9)), [grant(1), grant(1, 'group', 9)]), [2])
  assert.deepEqual(needed(items(grant(1), grant(2), grant(1, 'group', 9)), [grant(1), grant(2), grant(1, 'group', 9)]), [3])
  assert.deepEqual(needed(items(grant(4), grant(1)), [grant(1)]), [2], 'a grant with an end, or of an inactive person, may go')
  assert.deepEqual(needed([], [grant(1)]), [])
})

test('the last administrator is kept, and the preview says so', async () => {
  const chief = await make.newPerson({ roles: ['admin'] })
  const { id } = await open({ roleIds: [(await make.roleNamed('admin')).id] })
  const [own, theirs] = [await itemOf(id, portal.admin), await itemOf(id, chief)]
  await judge(id, portal.admin, { id: theirs, verdict: 'remove' })
  await judge(id, chief, { id: own, verdict: 'remove' })
  const last = Math.max(own, theirs)
  assert.deepEqual(await preview(id), {
    keepCount: 0,
    removeCount: 1,
    skipped: [{ itemId: last, reason: 'last_admin' }],
    ordersReturned: 0,
  })
  // The administrator who closes the review may lose the role.
  const reader = last === own ? portal.admin : chief
  await portal.admin.post(`/access-reviews/${id}/close`, {})
  await until('it is closed', async () => (await reader.get(`/access-reviews/${id}`)).body.status === 'closed')
  const skipped = (await reader.get(`/access-reviews/${id}/items`)).body.items.filter((item: { skipReason: string }) => item.skipReason)
  assert.deepEqual(
    skipped.map((item: { id: number; skipReason: string }) => [item.id, item.skipReason]),
    [[last, 'last_admin']],
  )
  for (const { id: userId } of [portal.admin, chief]) await reader.post(`/users/${userId}/roles`, { roleName: 'admin' })
})

test('while a provider is required, the last administrator who could sign in without it is kept', async () => {
  const [one, other] = [await exception(), await exception()]
  const proven = (is: boolean) =>
    portal.sql(`create or replace function has_proven_provider(session int) returns boolean language sql stable as $$ select ${is} $$`)
  await proven(true)
  assert.equal((await portal.admin.patch('/admin/sign-in/settings', { passwords: 'exceptions' })).status, 200)
  const { id } = await open({ roleIds: [(await make.roleNamed('admin')).id] })
  const items = [await itemOf(id, one), await itemOf(id, other)]
  await judge(id, portal.admin, ...items.map((item) => ({ id: item, verdict: 'remove' })))
  const last = Math.max(...items)
  const { removeCount, skipped } = await preview(id)
  assert.deepEqual([removeCount, skipped], [1, [{ itemId: last, reason: 'last_admin' }]])
  await close(id)
  const closed = (await itemsOf(id)).filter((item) => items.includes(item.id))
  assert.deepEqual(closed.map((item) => item.skipReason ?? item.outcome).toSorted(), ['last_admin', 'removed'])
  assert.equal((await portal.admin.get('/admin/sign-in/requirements')).body.exceptions.length, 1)
  await portal.admin.patch('/admin/sign-in/settings', { passwords: 'everyone' })
})

test('items that nobody could judge when closing began stay, although undecided items are taken away', async () => {
  const others = (await portal.sql<{ id: number }>(`select unnest(active_in_roles(array['admin'])) as id`)).filter(
    ({ id }) => id !== portal.admin.id,
  )
  for (const { id } of others) await portal.admin.delete(`/users/${id}?force=true`)
  const person = await make.newPerson()
  const [group, watched] = [
    await make.newGroup({ userIds: [portal.admin.id, person.id] }),
    await make.newGroup({ userIds: [portal.admin.id] }),
  ]
  await portal.admin.send('PUT', `/groups/${watched.id}/request-policy`, { approverUserIds: [person.id] })
  const { id } = await open({ groupIds: [group.id, watched.id], ifSilent: 'remove' })
  const own = (await itemsOf(id, portal.admin, `&userId=${portal.admin.id}&groupId=${group.id}`))[0]!
  assert.deepEqual(await preview(id), {
    keepCount: 0,
    removeCount: 2,
    skipped: [{ itemId: own.id, reason: 'no_reviewer' }],
    ordersReturned: 0,
  })
  await close(id)
  const results = (await itemsOf(id)).map((item) => [item.person.id, item.group!.id, item.skipReason ?? item.outcome])
  assert.deepEqual(
    results.toSorted(),
    [
      [person.id, group.id, 'removed'],
      [portal.admin.id, group.id, 'no_reviewer'],
      [portal.admin.id, watched.id, 'removed'],
    ].toSorted(),
  )
})

test('closing skips a membership that follows from the claims of a provider', async () => {
  const person = await make.newPerson()
  const group = await make.newGroup({ userIds: [person.id] })
  await portal.meddle(
    'provider',
    1,
    `insert into sign_in_providers (id, slug, name_ar, name_en, issuer, client_id, client_auth, claims)
       values (1, 'entra', 'حساب', 'Account', 'https://login.example.org', 'portal', 'none', '{}');
     insert into provider_group_rules (provider_id, value, group_id) values (1, 'finance', ${group.id})`,
  )
  const { id } = await open({ groupIds: [group.id], reviewerUserIds: [portal.admin.id] })
  const item = await itemOf(id, person)
  await judge(id, portal.admin, { id: item, verdict: 'remove' })
  assert.deepEqual((await preview(id)).skipped, [{ itemId: item, reason: 'managed_elsewhere' }])
})
