/** The reviewers of items, and the effects of their verdicts. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { REVIEWS, reviewing } from '../../../test/access-reviews.ts'
import { ascending, makers, tracing } from '../../../test/makers.ts'
import { type Client, testPortal } from '../../../test/portal.ts'

const portal = testPortal({ RATE_LIMITS: 'on' })
const make = makers(portal)
const { open, itemsOf, itemOf, read, judge } = reviewing(portal)
const { traced, silent } = tracing(portal)

type Person = Client & { id: number; username: string }
let huda: Person
let salem: Person
let other: Person
before(async () => {
  await portal.ready
  huda = await make.newPerson({ displayNameEn: 'Huda', displayNameAr: 'يسرى' })
  salem = await make.newPerson({ displayNameEn: 'Salem', displayNameAr: 'أحمد' })
  other = await make.newPerson({ roles: ['admin'] })
})
const groupOf = (...people: { id: number }[]) => make.newGroup({ userIds: people.map(({ id }) => id) })
async function approvedBy(group: { id: number }, policy: { approverUserIds?: number[]; approverGroupIds?: number[] }) {
  const { status, text } = await portal.admin.send('PUT', `/groups/${group.id}/request-policy`, policy)
  assert.equal(status, 200, text)
}
const idsOf = (items: { person: { id: number } }[]) => ascending(items.map(({ person }) => person.id))

test('named reviewers judge all items but their own, and nobody else does', async () => {
  const group = await groupOf(huda, salem)
  const role = await make.newRole()
  await portal.admin.post(`/users/${huda.id}/roles`, { roleName: role.name })
  const { id } = await open({ groupIds: [group.id], roleIds: [role.id], reviewerUserIds: [salem.id] })
  assert.deepEqual(idsOf(await itemsOf(id, salem)), [huda.id, huda.id])
  assert.equal((await read(id, salem)).counts.total, 2)
  assert.equal((await read(id)).counts.total, 3)
  const own = await itemOf(id, salem)
  const hers = (await itemsOf(id, salem)).map((item) => item.id)
  const { body } = await judge(id, salem, ...[own, ...hers, 2 ** 31 - 1].map((one) => ({ id: one, verdict: 'keep' })))
  assert.deepEqual(body, { doneIds: hers, failedIds: [own, 2 ** 31 - 1] })
  const elsewhere = await open({ groupIds: [(await groupOf(huda)).id], reviewerUserIds: [salem.id] })
  const foreign = await itemOf(elsewhere.id, huda)
  assert.deepEqual((await judge(id, salem, { id: foreign, verdict: 'keep' })).body, { doneIds: [], failedIds: [foreign] })
})

test('without named reviewers, the approvers of each group judge its items, and administrators those of roles', async () => {
  const [approver, viaGroup] = [await make.newPerson(), await make.newPerson()]
  const [group, second, approvers] = [await groupOf(huda, approver), await groupOf(salem), await groupOf(viaGroup)]
  const role = await make.newRole()
  await portal.admin.post(`/users/${salem.id}/roles`, { roleName: role.name })
  await approvedBy(group, { approverUserIds: [approver.id] })
  await approvedBy(second, { approverGroupIds: [approvers.id] })
  const { id } = await open({ groupIds: [group.id, second.id], roleIds: [role.id] })
  assert.deepEqual(idsOf(await itemsOf(id, approver)), [huda.id])
  assert.deepEqual(idsOf(await itemsOf(id, viaGroup)), [salem.id])
  assert.equal((await huda.get(`${REVIEWS}/${id}`)).status, 404)
  for (const by of [approver, viaGroup, portal.admin])
    assert.deepEqual((await by.get(REVIEWS)).body.items.map((one: { id: number }) => one.id).includes(id), true)
  const [hers, his] = [await itemOf(id, huda), (await itemsOf(id)).find((item) => item.role)!.id]
  const { body } = await judge(id, approver, { id: hers, verdict: 'remove' }, { id: his, verdict: 'remove' })
  assert.deepEqual(body, { doneIds: [hers], failedIds: [his] })
  await portal.admin.delete(`/groups/${approvers.id}/users/${viaGroup.id}`)
  assert.equal((await viaGroup.get(`${REVIEWS}/${id}/items`)).status, 404)
  await portal.admin.patch(`/users/${approver.id}`, { isActive: false })
  assert.equal((await itemsOf(id)).find((item) => item.id === hers)!.reviewer!.id, approver.id)
})

test('administrators judge every item but their own', async () => {
  const { id } = await open({ groupIds: [(await groupOf(huda, portal.admin)).id], reviewerUserIds: [salem.id] })
  const [own, hers] = [await itemOf(id, portal.admin), await itemOf(id, huda)]
  const both = [own, hers].map((one) => ({ id: one, verdict: 'remove' }))
  assert.deepEqual((await judge(id, portal.admin, ...both)).body, { doneIds: [hers], failedIds: [own] })
  assert.deepEqual((await judge(id, other, ...both)).body, { doneIds: [own, hers], failedIds: [] })
})

test('a later verdict replaces an earlier one, and null takes it back', async () => {
  const { id } = await open({ groupIds: [(await groupOf(huda)).id], reviewerUserIds: [salem.id] })
  const item = await itemOf(id, huda)
  const state = async () => {
    const [{ verdict, note, reviewer, at }] = (await itemsOf(id)) as [Awaited<ReturnType<typeof itemsOf>>[number]]
    return [verdict, note, reviewer?.username ?? null, at !== null]
  }
  const { audit, events } = await traced(() => judge(id, salem, { id: item, verdict: 'remove', note: 'Left the team' }))
  assert.deepEqual(audit, [
    {
      action: 'access_review.verdict',
      type: 'access_review',
      target: id,
      metadata: { titleEn: 'Quarter', keep: [], remove: [item], cleared: [] },
    },
  ])
  assert.deepEqual(events, [
    { event: 'access_review_changed', data: { reviewId: id, status: 'open' }, to: ascending([portal.admin.id, other.id, salem.id]) },
  ])
  assert.deepEqual(await state(), ['remove', 'Left the team', salem.username, true])
  await silent(() => judge(id, salem, { id: item, verdict: 'remove', note: 'Left the team' }))
  await judge(id, other, { id: item, verdict: 'remove' })
  assert.deepEqual(await state(), ['remove', null, other.username, true])
  await judge(id, salem, { id: item, verdict: 'keep' })
  assert.deepEqual(await state(), ['keep', null, salem.username, true])
  await judge(id, other, { id: item, verdict: null, note: 'Not sure' })
  assert.deepEqual(await state(), [null, null, null, false])
  await silent(() => judge(id, salem, { id: item, verdict: null }))
})

test('a call without items, with 201 items, with an item twice or with an unknown verdict is refused', async () => {
  const { id } = await open({ groupIds: [(await groupOf(huda)).id] })
  const item = await itemOf(id, huda)
  const keep = (one: number) => ({ id: one, verdict: 'keep' })
  const bodies = [
    [],
    Array.from({ length: 201 }, (_, n) => keep(n + 1)),
    [keep(item), { id: item, verdict: null }],
    [{ id: item, verdict: 'ask' }],
  ]
  for (const items of bodies) {
    const { status, body } = await silent(() => judge(id, portal.admin, ...items))
    assert.deepEqual([status, body.code], [400, 'validation_failed'])
  }
  assert.equal(
    (await portal.admin.post(`${REVIEWS}/${id}/verdicts`, { items: [{ id: item, verdict: 'keep', note: 'x'.repeat(1001) }] })).status,
    400,
  )
})

test('items are filtered by state, group, role, person and name, and sorted by the name that the reader sees', async () => {
  const [group, second] = [await groupOf(huda, salem), await groupOf(huda)]
  const role = await make.newRole()
  await portal.admin.post(`/users/${salem.id}/roles`, { roleName: role.name })
  const { id } = await open({ groupIds: [group.id, second.id], roleIds: [role.id] })
  const found = async (query: string, by: Client = portal.admin) => (await itemsOf(id, by, query)).map(({ person }) => person.username)
  await judge(id, portal.admin, { id: await itemOf(id, salem), verdict: 'keep' })
  const [h, s] = [huda.username, salem.username]
  await portal.admin.patch('/auth/me/language', { language: 'en' })
  assert.deepEqual(await found(''), [h, h, s, s])
  assert.deepEqual(await found('&state=keep'), [s])
  assert.deepEqual(await found('&state=undecided'), [h, h, s])
  assert.deepEqual(await found('&state=remove'), [])
  assert.deepEqual(await found('&state=skipped'), [])
  assert.deepEqual(await found(`&groupId=${group.id}`), [h, s])
  assert.deepEqual(await found(`&roleId=${role.id}`), [s])
  assert.deepEqual(await found(`&userId=${huda.id}&groupId=${second.id}`), [h])
  assert.deepEqual(await found('&q=hud'), [h, h])
  assert.deepEqual(await found(`&q=${encodeURIComponent('احمد')}`), [s, s])
  assert.deepEqual(await found('&q=example.org'), [])
  const { body } = await portal.admin.get(`${REVIEWS}/${id}/items?limit=1&offset=2`)
  assert.deepEqual([body.items.length, body.totalCount, body.nextOffset, body.items[0].person.username], [1, 4, 3, s])
  await portal.admin.patch('/auth/me/language', { language: 'ar' })
  assert.deepEqual(await found(''), [s, s, h, h])
})

test('the counts include only the items that the reader may judge', async () => {
  const { id } = await open({ groupIds: [(await groupOf(huda, salem, portal.admin)).id], reviewerUserIds: [salem.id, huda.id] })
  await judge(id, salem, { id: await itemOf(id, huda), verdict: 'keep' })
  await judge(id, huda, { id: await itemOf(id, salem), verdict: 'remove' })
  assert.deepEqual((await read(id, salem)).counts, { total: 2, keep: 1, remove: 0, undecided: 1, skipped: 0 })
  assert.deepEqual((await read(id, other)).counts, { total: 3, keep: 1, remove: 1, undecided: 1, skipped: 0 })
})

test('a reviewer can change verdicts 3,000 times an hour, and a script of an administrator more often', async () => {
  const [one, two] = [await make.newPerson(), await make.newPerson()]
  const { id } = await open({ groupIds: [(await groupOf(salem)).id], reviewerUserIds: [one.id, two.id] })
  const item = await itemOf(id, salem)
  const send = (by: Client, verdict: string) => by.post(`${REVIEWS}/${id}/verdicts`, { items: [{ id: item, verdict }] })
  for (const by of [one, portal.admin]) assert.equal((await send(by, 'keep')).status, 200)
  await portal.sql(`update rate_limits set counted = 2999 where key like 'verdicts:%'`)
  assert.equal((await send(one, 'remove')).status, 200)
  const refused = await send(one, 'keep')
  assert.deepEqual([refused.status, refused.body.code], [429, 'rate_limited'])
  assert.ok(Number(refused.headers.get('retry-after')) > 3500)
  for (const verdict of ['remove', 'keep']) assert.equal((await send(portal.admin, verdict)).status, 200)
  await portal.sql(`delete from rate_limits where key like 'verdicts:%'`)
  assert.equal((await send(two, 'keep')).status, 200)
})
