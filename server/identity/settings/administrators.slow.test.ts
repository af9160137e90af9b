/** Acts that change who is an administrator: by the role, by activation, by groups (even empty ones), or by reviews. */
import assert from 'node:assert/strict'
import { before, beforeEach, test } from 'node:test'
import { dayAhead } from '../../../test/access-reviews.ts'
import { duties } from '../../../test/duties.ts'
import { makers } from '../../../test/makers.ts'
import { type Answer, type Client, testPortal } from '../../../test/portal.ts'
import { tokenOf } from '../../../test/tokens.ts'
import { scopeNames } from '../tokens/rules.ts'

const portal = testPortal()
const make = makers(portal)
const { guardAdministration, confirmAgain, outOfTime } = duties(portal)

const adminRole = () => make.roleNamed('admin')
const someone = () => make.newPerson()
const review = { titleEn: 'Quarter', dueDate: dayAhead(8), ifSilent: 'keep' }

type Act = () => Promise<(by: Client) => Promise<Answer>>

/** A group that gives the role `admin`, with these members. */
async function heads(...userIds: number[]) {
  const group = await make.newGroup({ userIds })
  await portal.admin.post(`/groups/${group.id}/roles`, { roleId: (await adminRole()).id })
  return group
}
/** The id of the newest entry of the audit log about a record. */
const newest = async (type: string, id: number) =>
  (await portal.admin.get(`/admin/audit-logs?targetType=${type}&targetId=${id}&limit=1`)).body.entries[0].id as number
const items = async (reviewId: number, ...verdicts: { id: number; verdict: string | null }[]) =>
  portal.admin.post(`/access-reviews/${reviewId}/verdicts`, { items: verdicts })
/** A review that takes the role `admin` from holders without a verdict; returns it with one of its items. */
async function silentReview() {
  const [{ id }, role] = [await make.newPerson({ roles: ['admin'] }), await adminRole()]
  const { body } = await portal.admin.post('/access-reviews', { ...review, roleIds: [role.id], ifSilent: 'remove' })
  const found = (await portal.admin.get(`/access-reviews/${body.id}/items?userId=${id}`)).body.items
  return { reviewId: body.id as number, itemId: found[0].id as number }
}

/** Each entry prepares an act and returns the call that an administrator must confirm. */
const asked: Record<string, Act> = {
  'deactivating an administrator': async () => {
    const { id } = await make.newPerson({ roles: ['admin'] })
    return (by) => by.patch(`/users/${id}`, { isActive: false })
  },
  'reviving an administrator': async () => {
    const { id } = await make.newPerson({ roles: ['admin'] })
    await portal.admin.patch(`/users/${id}`, { isActive: false })
    return (by) => by.patch(`/users/${id}`, { isActive: true })
  },
  'deactivating an administrator among many': async () => {
    const ids = [(await make.newPerson({ roles: ['admin'] })).id, (await someone()).id]
    return (by) => by.post('/users/bulk-change', { ids, set: { isActive: false } })
  },
  'putting the deactivation of an administrator back': async () => {
    const { id } = await make.newPerson({ roles: ['admin'] })
    await portal.admin.patch(`/users/${id}`, { isActive: false })
    const entry = await newest('user', id)
    return (by) => by.post(`/admin/history/audit/${entry}/revert`, {})
  },
  'giving admin to a group without members': async () => {
    const [{ id }, { id: roleId }] = [await make.newGroup(), await adminRole()]
    return (by) => by.post(`/groups/${id}/roles`, { roleId })
  },
  'a new group without members that gives admin': async () => {
    const { id } = await adminRole()
    return (by) => by.post('/groups', { name: crypto.randomUUID(), roleIds: [id] })
  },
  'taking admin from a group without members': async () => {
    const [{ id }, { id: roleId }] = [await heads(), await adminRole()]
    return (by) => by.delete(`/groups/${id}/roles/${roleId}`)
  },
  'putting back that a group without members gives admin': async () => {
    const [{ id }, { id: roleId }] = [await heads(), await adminRole()]
    await portal.admin.delete(`/groups/${id}/roles/${roleId}`)
    const entry = await newest('group', id)
    return (by) => by.post(`/admin/history/audit/${entry}/revert`, {})
  },
  'putting back that a group without members does not give admin': async () => {
    const { id } = await heads()
    const entry = (await portal.admin.get(`/groups/${id}/audit`)).body.entries[0].id
    return (by) => by.post(`/admin/history/group/${entry}/revert`, {})
  },
  'an inactive member of a group that gives admin': async () => {
    const [{ id }, { id: userId }] = [await heads(), await someone()]
    await portal.admin.patch(`/users/${userId}`, { isActive: false })
    return (by) => by.post(`/groups/${id}/users`, { userId })
  },
  'undoing the deletion of a role with permissions': async () => {
    const { id } = await make.newRole(['portal.hr'])
    await portal.admin.delete(`/roles/${id}`)
    const entry = await newest('role', id)
    return (by) => by.post(`/admin/undo/${entry}`)
  },
  'taking back a verdict that kept the role admin': async () => {
    const { reviewId, itemId } = await silentReview()
    await items(reviewId, { id: itemId, verdict: 'keep' })
    return (by) => by.post(`/access-reviews/${reviewId}/verdicts`, { items: [{ id: itemId, verdict: null }] })
  },
  'a verdict that keeps the role admin against the silent end': async () => {
    const { reviewId, itemId } = await silentReview()
    return (by) => by.post(`/access-reviews/${reviewId}/verdicts`, { items: [{ id: itemId, verdict: 'keep' }] })
  },
  'the due date of a review that takes the role admin': async () => {
    const { reviewId } = await silentReview()
    return (by) => by.patch(`/access-reviews/${reviewId}`, { dueDate: dayAhead(0) })
  },
  'another time zone while a review takes the role admin': async () => {
    await silentReview()
    const { timeZone } = (await portal.admin.get('/settings')).body
    return (by) => by.patch('/settings', { timeZone: timeZone === 'UTC' ? 'Asia/Riyadh' : 'UTC' })
  },
  'cancelling a review that takes the role admin': async () => {
    const { reviewId } = await silentReview()
    return (by) => by.post(`/access-reviews/${reviewId}/cancel`)
  },
  'approving an access request': async () => {
    const [asker, group] = [await someone(), await make.newGroup()]
    await portal.admin.put(`/groups/${group.id}/request-policy`, { requestable: true })
    const { body } = await asker.post('/access-requests', { groupId: group.id })
    return (by) => by.post(`/access-requests/${body.id}/approve`, {})
  },
}

/** All scopes that a person's token may have: `scim` is for directories only. */
const personal = scopeNames.filter((scope) => scope !== 'scim')

before(() => portal.ready)
beforeEach(() => guardAdministration(false))

for (const [what, prepare] of Object.entries(asked)) {
  test(`${what} is refused until it is confirmed, while the setting is on`, async () => {
    const act = await prepare()
    await guardAdministration(true)
    await outOfTime()
    const traces = await portal.traces(async () => {
      const { status, body } = await act(portal.admin)
      assert.deepEqual([status, body?.code, body?.methods], [403, 'confirmation_required', ['password']])
    })
    assert.deepEqual([traces.audit, traces.events], [[], []])
    await confirmAgain()
    const { status, text } = await act(portal.admin)
    assert.ok(status < 300, text)
  })

  test(`${what} needs no confirmation while the setting is off, but is refused to API tokens`, async () => {
    const act = await prepare()
    await outOfTime()
    const { status, body } = await act(await tokenOf(portal, portal.admin.id, { scopes: personal }))
    assert.deepEqual([status, body?.code], [403, 'not_for_tokens'])
    const answer = await act(portal.admin)
    assert.ok(answer.status < 300, answer.text)
  })
}
