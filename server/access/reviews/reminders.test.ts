/** The notices of a review: at its start, at half time, a day before its end, and when items lack a reviewer. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { REVIEWS, reviewing } from '../../../test/access-reviews.ts'
import { runJob } from '../../../test/jobs.ts'
import { makers } from '../../../test/makers.ts'
import { type Client, testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const make = makers(portal)
const { open, itemOf, judge, close, watch } = reviewing(portal)

type Person = Client & { id: number; username: string }
let huda: Person
let salem: Person
let member: Person
before(async () => {
  await portal.ready
  huda = await make.newPerson()
  salem = await make.newPerson()
  member = await make.newPerson()
})
const groupOf = (...people: { id: number }[]) => make.newGroup({ userIds: people.map(({ id }) => id) })
/** Moves a review, so that it began `begun` days ago and its last day is `left` days from now. */
const move = (id: number, begun: number, left: number) =>
  portal.meddle(
    'access_review',
    id,
    `update access_reviews set created_at = now() - make_interval(days => ${begun}), due_date = (now() at time zone 'UTC')::date + ${left} where id = ${id}`,
  )
const notified = async (act: () => Promise<unknown>) =>
  (await portal.traces(act)).notices.map(({ user, titleEn }) => [user, titleEn]).toSorted()
const to = (titleEn: string, ...people: { id: number }[]) => people.map(({ id }) => [id, titleEn]).toSorted()

const HALF = 'Half of the time for an access review has passed'
const DAY = 'An access review ends within a day'
const START = 'New access review'
const UNJUDGED = 'Items without a reviewer'

test('reviewers who have something to decide are notified at the start, at half time and a day before the end, once each', async () => {
  const fields = { groupIds: [(await groupOf(member, salem)).id], reviewerUserIds: [huda.id, salem.id] }
  let id = 0
  const started = await notified(async () => {
    id = (await open(fields)).id
  })
  assert.deepEqual(started, to(START, huda, salem))
  assert.deepEqual(await notified(watch), [])
  await judge(id, huda, { id: await itemOf(id, member), verdict: 'keep' })
  await move(id, 3, 4)
  assert.deepEqual(await notified(watch), [])
  await move(id, 6, 4)
  assert.deepEqual(await notified(watch), to(HALF, huda))
  assert.deepEqual(await notified(watch), [])
  await move(id, 9, 0)
  assert.deepEqual(await notified(watch), to(DAY, huda))
  assert.deepEqual(await notified(watch), [])
})

test('each end of a review has its own notice, and after a downtime only the latest notice is sent', async () => {
  const { id } = await open({ groupIds: [(await groupOf(member)).id], reviewerUserIds: [huda.id] })
  await move(id, 9, 0)
  assert.deepEqual(await notified(watch), to(DAY, huda))
  await portal.meddle(
    'access_review',
    id,
    `update reminders set deadline = deadline - interval '5 days' where kind = 'access_review' and subject_id = ${id}`,
  )
  assert.deepEqual(await notified(watch), to(DAY, huda))
  assert.deepEqual(await notified(watch), [])
})

test('a review that begins on its last day has no notice of that day', async () => {
  const dueDate = new Date().toISOString().slice(0, 10)
  const { id } = await open({ groupIds: [(await groupOf(member)).id], reviewerUserIds: [huda.id], dueDate })
  // Shortly before midnight, half of its time may have passed.
  const titles = (await notified(watch)).map(([, title]) => title)
  assert.ok(!titles.includes(DAY), String(titles))
  await judge(id, huda, { id: await itemOf(id, member), verdict: 'keep' })
})

test('administrators are told once of items that nobody else can judge', async () => {
  let id = 0
  const alone = { groupIds: [(await groupOf(huda)).id], reviewerUserIds: [huda.id] }
  assert.deepEqual(
    await notified(async () => {
      id = (await open(alone)).id
    }),
    to(UNJUDGED, portal.admin),
  )
  assert.deepEqual(await notified(watch), [])
  const { id: later } = await open({ groupIds: [(await groupOf(member)).id], reviewerUserIds: [salem.id] })
  await portal.admin.patch(`/users/${salem.id}`, { isActive: false })
  assert.deepEqual(await notified(watch), to(UNJUDGED, portal.admin))
  assert.deepEqual(await notified(watch), [])
  for (const one of [id, later]) await portal.admin.post(`${REVIEWS}/${one}/cancel`)
  assert.deepEqual(await notified(watch), [])
})

test('a review that stays open for years causes the notices of its whole time only once', async () => {
  // Nobody but an administrator can judge Huda's own item.
  const { id } = await open({ groupIds: [(await groupOf(huda, member)).id], reviewerUserIds: [huda.id] })
  await move(id, 6, 4)
  assert.deepEqual(await notified(watch), to(HALF, huda))
  const cleaned = async () => {
    await portal.sql(`update reminders set sent_at = now() - interval '401 days' where kind like 'access_review%' and subject_id = ${id}`)
    await runJob(portal, 'clean_up')
    return (await portal.sql(`select from reminders where kind like 'access_review%' and subject_id = ${id}`)).length
  }
  assert.deepEqual([await cleaned(), await notified(watch)], [2, []])
  await portal.admin.post(`${REVIEWS}/${id}/cancel`)
  assert.equal(await cleaned(), 0)
})

test('a notice leads its reader to the review, and counts as read once the review is over', async () => {
  const { id } = await open({ groupIds: [(await groupOf(member)).id], reviewerUserIds: [huda.id] })
  const about = async () => (await huda.get('/notifications')).body.filter((one: { relatedId: number }) => one.relatedId === id)
  const [notice] = await about()
  assert.deepEqual([notice.relatedType, notice.isRead, notice.bodyAr.includes('Quarter')], ['access_review', false, true])
  assert.equal((await huda.get(`${REVIEWS}/${id}`)).status, 200)
  await close(id)
  assert.equal((await about())[0].isRead, true)
  await portal.admin.patch(`${REVIEWS}/${id}`, {})
  const other = await open({ groupIds: [(await groupOf(member)).id], reviewerUserIds: [huda.id] })
  await portal.admin.patch(`${REVIEWS}/${other.id}`, { reviewerUserIds: [member.id] })
  assert.deepEqual(
    (await huda.get('/notifications')).body.filter((one: { relatedId: number }) => one.relatedId === other.id),
    [],
  )
})
