/** The acts that `confirmAdministration` makes administrators confirm, besides those that they always confirm. */
import assert from 'node:assert/strict'
import { before, beforeEach, test } from 'node:test'
import { dayAhead } from '../../../test/access-reviews.ts'
import { duties } from '../../../test/duties.ts'
import { inDays } from '../../../test/grants.ts'
import { makers } from '../../../test/makers.ts'
import { type Answer, testPortal, until } from '../../../test/portal.ts'

const portal = testPortal()
const make = makers(portal)
const { guardAdministration, confirmAgain, outOfTime } = duties(portal)

const adminRole = () => make.roleNamed('admin')
const someone = () => make.newPerson()

const review = { titleEn: 'Quarter', dueDate: dayAhead(8), ifSilent: 'keep' }
/** A review with an administrator among its items. */
async function reviewOfAdmin() {
  const [{ id }, role] = [await make.newPerson({ roles: ['admin'] }), await adminRole()]
  const { body: opened } = await portal.admin.post('/access-reviews', { ...review, roleIds: [role.id] })
  const { items } = (await portal.admin.get(`/access-reviews/${opened.id}/items?userId=${id}`)).body
  return { reviewId: opened.id as number, itemId: items[0].id as number }
}

type Act = () => Promise<() => Promise<Answer>>
/** Each entry prepares an act and returns the call that an administrator must confirm. */
const asked: Record<string, Act> = {
  'giving the role admin': async () => {
    const { id } = await someone()
    return () => portal.admin.post(`/users/${id}/roles`, { roleName: 'admin' })
  },
  'taking the role admin': async () => {
    const { id } = await make.newPerson({ roles: ['admin'] })
    return () => portal.admin.delete(`/users/${id}/roles/admin`)
  },
  'an end of the role admin': async () => {
    const { id } = await make.newPerson({ roles: ['admin'] })
    return () => portal.admin.post(`/users/${id}/roles`, { roleName: 'admin', expiresAt: inDays(1) })
  },
  'a later end of the role admin': async () => {
    const { id } = await someone()
    await portal.admin.post(`/users/${id}/roles`, { roleName: 'admin', expiresAt: inDays(1) })
    return () => portal.admin.post(`/users/${id}/roles`, { roleName: 'admin', expiresAt: null })
  },
  'an end in a group that gives admin': async () => {
    const [{ id: userId }, role] = [await someone(), await adminRole()]
    const { body } = await portal.admin.post('/groups', { name: `ending heads ${userId}`, roleIds: [role.id], userIds: [userId] })
    return () => portal.admin.post(`/groups/${body.id}/users`, { userId, expiresAt: inDays(1) })
  },
  'a review that takes the role admin in silence': async () => {
    const [role] = [await adminRole(), await make.newPerson({ roles: ['admin'] })]
    return () => portal.admin.post('/access-reviews', { ...review, roleIds: [role.id], ifSilent: 'remove' })
  },
  'a verdict that takes the role admin': async () => {
    const { reviewId, itemId } = await reviewOfAdmin()
    return () => portal.admin.post(`/access-reviews/${reviewId}/verdicts`, { items: [{ id: itemId, verdict: 'remove' }] })
  },
  'closing a review that takes the role admin': async () => {
    const { reviewId, itemId } = await reviewOfAdmin()
    await portal.admin.post(`/access-reviews/${reviewId}/verdicts`, { items: [{ id: itemId, verdict: 'remove' }] })
    return () => portal.admin.post(`/access-reviews/${reviewId}/close`, {})
  },
  'replacing roles with admin': async () => {
    const [{ id }, role] = [await someone(), await adminRole()]
    return () => portal.admin.put(`/users/${id}/roles`, { roleIds: [role.id] })
  },
  'giving admin to many': async () => {
    const { id } = await someone()
    return () => portal.admin.post('/users/bulk-change', { ids: [id], set: { addRoleNames: ['admin'] } })
  },
  'a group that gives admin to its members': async () => {
    const [{ id }, role] = [await someone(), await adminRole()]
    return () => portal.admin.post('/groups', { name: `heads ${id}`, roleIds: [role.id], userIds: [id] })
  },
  'a member of a group that gives admin': async () => {
    const [{ id: userId }, role] = [await someone(), await adminRole()]
    const { body } = await portal.admin.post('/groups', { name: `empty heads ${userId}`, roleIds: [role.id] })
    return () => portal.admin.post(`/groups/${body.id}/users`, { userId })
  },
  'a forced deletion': async () => {
    const { id } = await someone()
    return () => portal.admin.delete(`/users/${id}?force=true`)
  },
  'a forced deletion of a group': async () => {
    const { id } = await make.newGroup()
    return () => portal.admin.delete(`/groups/${id}?force=true`)
  },
  'a reset link': async () => {
    const { id } = await someone()
    return () => portal.admin.post(`/auth/admin/users/${id}/issue-reset-link`)
  },
  'the end of sessions': async () => {
    const { id } = await someone()
    return () => portal.admin.delete(`/users/${id}/sessions`)
  },
  'another e-mail address': async () => {
    const { id } = await someone()
    return () => portal.admin.patch(`/users/${id}`, { email: `moved${id}@example.org` })
  },
  registration: async () => {
    const { body } = await portal.admin.get('/settings')
    return () => portal.admin.patch('/settings', { registrationOpen: !body.registrationOpen })
  },
  'the permissions of a role': async () => {
    const { id } = await make.newRole()
    return () => portal.admin.put(`/roles/${id}/permissions`, { permissionIds: [1] })
  },
  'one permission of a role': async () => {
    const { id } = await make.newRole()
    return () => portal.admin.post(`/roles/${id}/permissions`, { permissionId: 1 })
  },
  'the withdrawal of a permission of a role': async () => {
    const { id } = await make.newRole()
    await portal.admin.post(`/roles/${id}/permissions`, { permissionId: 1 })
    return () => portal.admin.delete(`/roles/${id}/permissions/1`)
  },
  'reverting the permissions of a role': async () => {
    const { id } = await make.newRole()
    await portal.admin.put(`/roles/${id}/permissions`, { permissionIds: [1] })
    const { entries } = (await portal.admin.get(`/admin/audit-logs?targetType=role&targetId=${id}&limit=1`)).body
    return () => portal.admin.post(`/admin/history/audit/${entries[0].id}/revert`, {})
  },
}

/** Ordinary work, which never asks for a confirmation. */
const free: Record<string, Act> = {
  'a review that keeps the role admin': async () => {
    const { reviewId, itemId } = await reviewOfAdmin()
    await portal.admin.post(`/access-reviews/${reviewId}/verdicts`, { items: [{ id: itemId, verdict: 'keep' }] })
    return () => portal.admin.post(`/access-reviews/${reviewId}/close`, {})
  },
  'another role': async () => {
    const { id } = await someone()
    return () => portal.admin.post(`/users/${id}/roles`, { roleName: 'order_receiver' })
  },
  'a deletion that is not forced': async () => {
    const { id } = await someone()
    return () => portal.admin.delete(`/users/${id}`)
  },
  'another name': async () => {
    const { id } = await someone()
    return () => portal.admin.patch(`/users/${id}`, { displayNameEn: 'Other' })
  },
  'the same e-mail address': async () => {
    const { id } = await someone()
    const { body } = await portal.admin.get(`/users/${id}`)
    return () => portal.admin.patch(`/users/${id}`, { email: body.email })
  },
  'another name of the portal': async () => () => portal.admin.patch('/settings', { siteNameEn: crypto.randomUUID() }),
  'an ordinary group': async () => () => portal.admin.post('/groups', { name: crypto.randomUUID() }),
}

before(() => portal.ready)
beforeEach(async () => {
  await until('no review is being closed', async () => {
    const jobs = await portal.sql(`select from graphile_worker.jobs where task_identifier = 'close_access_review'`)
    return jobs.length === 0
  })
  await guardAdministration(false)
})

for (const [what, prepare] of Object.entries(asked))
  test(`${what} is refused until it is confirmed, while the setting is on`, async () => {
    const act = await prepare()
    await guardAdministration(true)
    await outOfTime()
    const traces = await portal.traces(async () => {
      const { status, body } = await act()
      assert.deepEqual([status, body?.code, body?.methods], [403, 'confirmation_required', ['password']])
    })
    assert.deepEqual([traces.audit, traces.events], [[], []])
    await confirmAgain()
    const { status, text } = await act()
    assert.ok(status < 300, text)
  })

for (const [what, prepare] of Object.entries({ ...free, ...asked }))
  test(`${what} needs no confirmation while ${what in asked ? 'the setting is off' : 'the setting is on'}`, async () => {
    const act = await prepare()
    if (what in free) await guardAdministration(true)
    await outOfTime()
    const { status, text } = await act()
    assert.ok(status < 300, text)
  })
