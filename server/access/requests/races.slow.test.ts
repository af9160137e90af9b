/** Two simultaneous acts on one request have the same result as one after the other, and leave the request consistent. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asking, bodyOf, REQUESTS } from '../../../test/access-requests.ts'
import { type Client, testPortal } from '../../../test/portal.ts'
import { type Act, type AtBoth, race, twoInstances } from '../../../test/race.ts'

const portal = testPortal()
const { make, openGroup, ask, approve, deny, withdraw, read, membersOf } = asking(portal)
const atBoth = twoInstances(portal)

type Setting = { person: AtBoth; one: AtBoth; other: AtBoth; admin: AtBoth; group: number; id: number }

/**
 * Prepares two acts on a new request that needs `minApprovals`, and a description of the result: the status, the number of approvals and
 * the number of members.
 */
const meeting = (minApprovals: number, acts: (setting: Setting) => [Act, Act]) => async () => {
  const [person, one, other] = await Promise.all([make.newPerson(), make.newPerson(), make.newPerson()])
  const { id: group } = await openGroup({ approverUserIds: [one.id, other.id], minApprovals })
  const id = await ask(person, group)
  const both = { person: await atBoth(person), one: await atBoth(one), other: await atBoth(other), admin: await atBoth(portal.admin) }
  const describe = async () => {
    const { status, lapseReason, approvals } = await read(portal.admin, id)
    const grants = await portal.sql(
      `select from ledger where action = 'group.member.add' and target_id = $1 and (facts ->> 'requestId')::int = $2`,
      [group, id],
    )
    const isKept = (await bodyOf(portal.admin.get('/groups'))).some((kept: { id: number }) => kept.id === group)
    const members = isKept ? await membersOf(group) : []
    assert.equal(status === 'approved', grants.length === 1)
    return `: ${lapseReason ?? status}, ${approvals.length} approved, ${members.length} in`
  }
  return { acts: acts({ ...both, group, id }), describe }
}

test('two approvals at once both count, and the grant is made once', () =>
  race(
    portal,
    ['200, 200: approved, 2 approved, 1 in'],
    meeting(2, ({ one, other, id }) => [(at) => approve(one[at], id), (at) => approve(other[at], id)]),
  ))

test('of two last approvals at once, the second one is refused', () =>
  race(
    portal,
    ['200, 400 invalid_transition: approved, 1 approved, 1 in', '400 invalid_transition, 200: approved, 1 approved, 1 in'],
    meeting(1, ({ one, other, id }) => [(at) => approve(one[at], id), (at) => approve(other[at], id)]),
  ))

test('of an approval and a denial at once, one decides', () =>
  race(
    portal,
    ['200, 400 invalid_transition: approved, 1 approved, 1 in', '400 invalid_transition, 200: denied, 0 approved, 0 in'],
    meeting(1, ({ one, other, id }) => [(at) => approve(one[at], id), (at) => deny(other[at], id)]),
  ))

test('of an approval and a withdrawal at once, one decides', () =>
  race(
    portal,
    ['200, 400 invalid_transition: approved, 1 approved, 1 in', '400 invalid_transition, 200: withdrawn, 0 approved, 0 in'],
    meeting(1, ({ one, person, id }) => [(at) => approve(one[at], id), (at) => withdraw(person[at], id)]),
  ))

test('a denial during a change of the policy counts only if its giver is still an approver', () =>
  race(
    portal,
    ['200, 200: denied, 0 approved, 0 in', '404 not_found, 200: pending, 0 approved, 0 in'],
    meeting(1, ({ one, other, admin, group, id }) => [
      (at) => deny(one[at], id),
      (at) => admin[at].put(`/groups/${group}/request-policy`, { requestable: true, approverUserIds: [other[0].id!] }),
    ]),
  ))

test('when requests for a group are switched off during an approval, either the requester becomes a member or the request lapses', () =>
  race(
    portal,
    ['200, 200: approved, 1 approved, 1 in', '400 invalid_transition, 200: not_requestable, 0 approved, 0 in'],
    meeting(1, ({ one, admin, group, id }) => [
      (at) => approve(one[at], id),
      (at) => admin[at].put(`/groups/${group}/request-policy`, { approverUserIds: [one[0].id!] }),
    ]),
  ))

test('an approval counts or is refused if its giver is deactivated at the same time', () =>
  race(
    portal,
    ['200, 200: approved, 1 approved, 1 in', '401 unauthorized, 200: pending, 0 approved, 0 in'],
    meeting(1, ({ one, admin, id }) => [(at) => approve(one[at], id), (at) => admin[at].patch(`/users/${one[0].id}`, { isActive: false })]),
  ))

test('an approval and the deletion of the requester at once leave no membership', () =>
  race(
    portal,
    ['200, 204: approved, 1 approved, 0 in', '400 invalid_transition, 204: requester_gone, 0 approved, 0 in'],
    meeting(1, ({ one, admin, person, id }) => [
      (at) => approve(one[at], id),
      (at) => admin[at].delete(`/users/${person[0].id}?force=true`),
    ]),
  ))

test('a withdrawal and the deletion of the group at once end the request once', () =>
  race(
    portal,
    ['200, 204: withdrawn, 0 approved, 0 in', '400 invalid_transition, 204: group_gone, 0 approved, 0 in'],
    meeting(1, ({ person, admin, group, id }) => [
      (at) => withdraw(person[at], id),
      (at) => admin[at].delete(`/groups/${group}?force=true`),
    ]),
  ))

test('a request for a group that is deleted at the same time lapses, or is refused because the group is unknown', async () => {
  const admin = await atBoth(portal.admin)
  await race(portal, ['201, 204: group_gone', '404 not_found, 204: none'], async () => {
    const [person, group] = [await make.newPerson(), await openGroup()]
    const both = await atBoth(person)
    const acts: [Act, Act] = [(at) => both[at].post(REQUESTS, { groupId: group.id }), (at) => admin[at].delete(`/groups/${group.id}`)]
    const describe = async () => {
      const [made] = (await bodyOf((person as Client).get(REQUESTS))).items
      assert.ok(!made || made.groupName === group.name)
      return `: ${made?.lapseReason ?? made?.status ?? 'none'}`
    }
    return { acts, describe }
  })
})
