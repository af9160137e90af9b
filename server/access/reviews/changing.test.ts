/** Changing and cancelling reviews, and the end of their time. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { dayAhead, REVIEWS, reviewing } from '../../../test/access-reviews.ts'
import { ascending, makers, tracing } from '../../../test/makers.ts'
import { type Client, testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const make = makers(portal)
const { open, itemsOf, read, judge, decide, untilClosed, watch } = reviewing(portal)
const { traced, silent } = tracing(portal)
const UNKNOWN = 2 ** 31 - 1

let huda: Client & { id: number; username: string }
let salem: typeof huda
before(async () => {
  await portal.ready
  huda = await make.newPerson()
  salem = await make.newPerson()
})
const groupOf = (...people: { id: number }[]) => make.newGroup({ userIds: people.map(({ id }) => id) })
const whole = async () => ({ groupIds: [(await groupOf(huda)).id] })

test('titles, due date and reviewers of an open review can be changed, but not with a stale tag', async () => {
  const { id } = await open(await whole())
  const path = `${REVIEWS}/${id}`
  const tag = (await portal.admin.get(path)).headers.get('etag')!
  const { answer, audit, events, notices } = await traced(() =>
    portal.admin.send('PATCH', path, { titleAr: 'الربع', dueDate: dayAhead(20), reviewerUserIds: [salem.id] }, { 'if-match': tag }),
  )
  assert.equal(answer.status, 200, answer.text)
  assert.deepEqual([answer.body.titleAr, answer.body.titleEn, answer.body.dueDate], ['الربع', 'Quarter', dayAhead(20)])
  assert.deepEqual(audit, [
    {
      action: 'access_review.update',
      type: 'access_review',
      target: id,
      metadata: {
        titleAr: 'الربع',
        titleEn: 'Quarter',
        changed: {
          titleAr: { from: null, to: 'الربع' },
          dueDate: { from: dayAhead(8), to: dayAhead(20) },
          reviewerUserIds: { from: [], to: [salem.id] },
        },
      },
    },
  ])
  assert.deepEqual(
    events.filter(({ event }) => event === 'access_review_changed').map(({ to }) => to),
    [ascending([portal.admin.id, salem.id])],
  )
  assert.deepEqual(notices, [{ user: salem.id, type: 'system', titleEn: 'New access review' }])
  assert.equal((await portal.admin.send('PATCH', path, { titleEn: 'x' }, { 'if-match': tag })).status, 412)
  await silent(() => portal.admin.patch(path, { titleEn: 'Quarter' }))
  for (const change of [{ titleAr: null, titleEn: '' }, { dueDate: dayAhead(-1) }, { dueDate: 'soon' }])
    assert.equal((await silent(() => portal.admin.patch(path, change))).body.code, 'validation_failed')
  assert.equal((await silent(() => portal.admin.patch(path, { reviewerUserIds: [UNKNOWN] }))).body.code, 'unknown_ids')
})

test('a reviewer who was deactivated or deleted stays named when the other reviewers change', async () => {
  const [leaver, deleted] = [await make.newPerson(), await make.newPerson()]
  const { id } = await open({ ...(await whole()), reviewerUserIds: [leaver.id, deleted.id] })
  await portal.admin.patch(`/users/${leaver.id}`, { isActive: false })
  await portal.admin.delete(`/users/${deleted.id}?force=true`)
  const all = ascending([leaver.id, deleted.id, salem.id])
  const { status, body } = await portal.admin.patch(`${REVIEWS}/${id}`, { reviewerUserIds: all })
  assert.deepEqual([status, body.reviewerUserIds], [200, all])
})

test('verdicts do not change the version of a review', async () => {
  const { id } = await open(await whole())
  const tagOf = async () => (await portal.admin.get(`${REVIEWS}/${id}`)).headers.get('etag')
  const tag = await tagOf()
  await decide(id, 'keep', huda)
  assert.equal(await tagOf(), tag)
})

test('a cancelled review changes nothing and takes no more verdicts', async () => {
  const group = await groupOf(huda)
  const { id } = await open({ groupIds: [group.id], ifSilent: 'remove' })
  const [item] = await itemsOf(id)
  await decide(id, 'remove', huda)
  const { answer, audit, events } = await traced(() => portal.admin.post(`${REVIEWS}/${id}/cancel`))
  assert.deepEqual([answer.status, answer.body.status, answer.body.closedBy.username], [200, 'cancelled', 'admin'])
  assert.deepEqual(
    audit.map(({ action, target }) => [action, target]),
    [['access_review.cancel', id]],
  )
  assert.deepEqual(
    events.filter(({ event }) => event === 'access_review_changed').map(({ data }) => data),
    [{ reviewId: id, status: 'cancelled' }],
  )
  const refused = [
    () => judge(id, portal.admin, { id: item!.id, verdict: 'keep' }),
    () => portal.admin.patch(`${REVIEWS}/${id}`, { titleEn: 'x' }),
    () => portal.admin.post(`${REVIEWS}/${id}/close`, {}),
    () => portal.admin.post(`${REVIEWS}/${id}/close`, { dryRun: true }),
    () => portal.admin.post(`${REVIEWS}/${id}/cancel`),
  ]
  for (const act of refused) {
    const { status, body } = await silent(act)
    assert.deepEqual([status, body.code], [400, 'invalid_transition'])
  }
  assert.deepEqual((await portal.admin.get(`/groups/${group.id}`)).body.userIds, [huda.id])
  assert.equal((await itemsOf(id))[0]!.verdict, 'remove')
})

test('the last day of a review ends in the time zone of the office', async () => {
  const { id } = await open(await whole())
  const east = 'Pacific/Kiritimati'
  await portal.meddle('access_review', id, `update access_reviews set due_date = (now() at time zone '${east}')::date - 1 where id = ${id}`)
  const statusIn = async (timeZone: string) => {
    assert.equal((await portal.admin.patch('/settings', { timeZone })).status, 200)
    return (await read(id)).status
  }
  assert.equal(await statusIn(east), 'closing')
  // This zone is 25 hours behind the first one, so the last day cannot be over there.
  assert.equal(await statusIn('Pacific/Pago_Pago'), 'open')
  // In UTC the review may be over, and the job that watches reviews would close it.
  assert.equal((await portal.admin.post(`${REVIEWS}/${id}/cancel`)).status, 200)
  await statusIn('UTC')
})

test('a review is over when its last day ends in the office, even before a job closes it', async () => {
  const group = await groupOf(huda)
  const { id } = await open({ groupIds: [group.id], ifSilent: 'remove' })
  const [item] = await itemsOf(id)
  await portal.meddle('access_review', id, `update access_reviews set due_date = (now() at time zone 'UTC')::date - 1 where id = ${id}`)
  assert.equal((await read(id)).status, 'closing')
  assert.equal((await judge(id, portal.admin, { id: item!.id, verdict: 'keep' })).body.code, 'invalid_transition')
  assert.equal((await portal.admin.patch(`${REVIEWS}/${id}`, { dueDate: dayAhead(3) })).body.code, 'invalid_transition')
  assert.equal((await portal.admin.post(`${REVIEWS}/${id}/cancel`)).body.code, 'invalid_transition')
  const { audit } = await portal.traces(async () => {
    await watch()
    await untilClosed(id)
  })
  assert.deepEqual(
    audit.map(({ action, metadata }) => [action, metadata]),
    [
      ['access_review.close', { titleEn: 'Quarter' }],
      ['group.member.remove', { userId: huda.id, accessReviewId: id }],
    ],
  )
  const closed = await read(id)
  assert.deepEqual([closed.status, closed.closedBy], ['closed', null])
  assert.deepEqual((await portal.admin.get(`/groups/${group.id}`)).body.userIds, [])
})
