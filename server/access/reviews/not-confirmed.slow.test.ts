/** The end of a review takes the role `admin` only by a decision that was confirmed, where a confirmation is required. */
import assert from 'node:assert/strict'
import { before, beforeEach, test } from 'node:test'
import { dayAhead, REVIEWS, reviewing } from '../../../test/access-reviews.ts'
import { duties } from '../../../test/duties.ts'
import { makers } from '../../../test/makers.ts'
import { type Client, testPortal } from '../../../test/portal.ts'
import { tokenOf } from '../../../test/tokens.ts'

const portal = testPortal()
const make = makers(portal)
const { open, itemOf, judge, preview, close, outcomes, untilClosed, watch } = reviewing(portal)
const { guardAdministration, confirmAgain: confirm } = duties(portal)

/** A group that does not give the role `admin`, with a member, and a review of the group by `by` that removes undecided items. */
async function reviewOfPlain(by: Client) {
  const member = await make.newPerson()
  const { id: groupId } = await make.newGroup({ userIds: [member.id] })
  const body = { titleEn: 'Quarter', groupIds: [groupId], dueDate: dayAhead(8), ifSilent: 'remove' }
  const { status, body: review, text } = await by.post(REVIEWS, body)
  assert.equal(status, 201, text)
  return { id: review.id as number, groupId, member }
}
async function giveAdmin(groupId: number) {
  const { status, text } = await portal.admin.post(`/groups/${groupId}/roles`, { roleId: (await make.roleNamed('admin')).id })
  assert.equal(status, 201, text)
}
/** Moves the due date of a review into the past and waits until the review is closed. */
async function end(id: number) {
  await portal.meddle('access_review', id, `update access_reviews set due_date = due_date - 10 where id = ${id}`)
  await watch()
  await untilClosed(id)
}
const byToken = () => tokenOf(portal, portal.admin.id, { scopes: ['admin:write'] })

before(() => portal.ready)
beforeEach(() => guardAdministration(false))

for (const [setting, isOn] of [
  ['on', true],
  ['off', false],
] as const)
  test(`a decision by a token does not remove a membership that later gives the role, while the setting is ${setting}`, async () => {
    await guardAdministration(isOn)
    const { id, groupId, member } = await reviewOfPlain(await byToken())
    await giveAdmin(groupId)
    await end(id)
    assert.deepEqual(await outcomes(id), { [member.username]: 'not_confirmed' })
    assert.deepEqual((await portal.admin.get(`/groups/${groupId}`)).body.userIds, [member.id])
    const { text } = await portal.admin.get(`${REVIEWS}/${id}/report.csv`)
    assert.match(text, /skipped,not_confirmed/)
  })

test('an unconfirmed decision does not remove a membership that later gives the role, while the setting is on', async () => {
  await guardAdministration(true)
  const { id, groupId, member } = await reviewOfPlain(portal.admin)
  await giveAdmin(groupId)
  await end(id)
  assert.deepEqual(await outcomes(id), { [member.username]: 'not_confirmed' })
})

test('a decision made while the setting was off takes the role only while it is still off', async () => {
  const [some, others] = [await reviewOfPlain(portal.admin), await reviewOfPlain(portal.admin)]
  for (const { groupId } of [some, others]) await giveAdmin(groupId)
  await end(some.id)
  assert.deepEqual(await outcomes(some.id), { [some.member.username]: 'removed' })
  await guardAdministration(true)
  await end(others.id)
  assert.deepEqual(await outcomes(others.id), { [others.member.username]: 'not_confirmed' })
})

test('a verdict, a due date or the removal of undecided items takes the role from an administrator if it was confirmed', async () => {
  await guardAdministration(true)
  const chief = () => make.newPerson({ roles: ['admin'] })
  const people = [await chief(), await chief()]
  const roleIds = [(await make.roleNamed('admin')).id]
  const { id } = await open({ roleIds })
  for (const person of people) await judge(id, portal.admin, { id: await itemOf(id, person), verdict: 'remove' })
  const silentOne = await reviewOfPlain(await byToken())
  await giveAdmin(silentOne.groupId)
  assert.equal((await portal.admin.patch(`${REVIEWS}/${silentOne.id}`, { dueDate: dayAhead(9) })).status, 200)
  for (const one of [id, silentOne.id]) await end(one)
  const found = await outcomes(id)
  assert.deepEqual(
    people.map(({ username }) => found[username]),
    ['removed', 'removed'],
  )
  assert.deepEqual(await outcomes(silentOne.id), { [silentOne.member.username]: 'removed' })

  const member = await chief()
  const group = await make.newGroup({ userIds: [member.id] })
  await giveAdmin(group.id)
  const silent = await open({ groupIds: [group.id], ifSilent: 'remove' })
  await end(silent.id)
  assert.deepEqual(await outcomes(silent.id), { [member.username]: 'removed' })
})

test('an administrator who confirms and closes a review also takes unconfirmed items, as the preview says', async () => {
  await guardAdministration(true)
  const { id, groupId, member } = await reviewOfPlain(await byToken())
  await giveAdmin(groupId)
  assert.deepEqual(await preview(id), { keepCount: 0, removeCount: 1, skipped: [], ordersReturned: 0 })
  await close(id)
  assert.deepEqual(await outcomes(id), { [member.username]: 'removed' })
})

test('a verdict that is given again asks for a confirmation, and then counts as confirmed', async () => {
  const { id, groupId, member } = await reviewOfPlain(portal.admin)
  const item = await itemOf(id, member)
  await judge(id, portal.admin, { id: item, verdict: 'remove' })
  await guardAdministration(true)
  await giveAdmin(groupId)
  await portal.sql(`update sessions set confirmed_at = now() - interval '16 minutes' where user_id = $1`, [portal.admin.id])
  const again = () => judge(id, portal.admin, { id: item, verdict: 'remove', note: 'Left the team' })
  assert.equal((await again()).body.code, 'confirmation_required')
  await confirm()
  assert.deepEqual((await again()).body.doneIds, [item])
  await end(id)
  assert.deepEqual(await outcomes(id), { [member.username]: 'removed' })
})
