/** Archives become stale when their day changes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { archiving, newDay } from '../../../../test/archives.ts'
import { makers } from '../../../../test/makers.ts'
import { MEETINGS } from '../../../../test/meetings.ts'
import { testPortal } from '../../../../test/portal.ts'

const portal = testPortal()
const { newPerson } = makers(portal)
const { meet, archive, shown } = archiving(portal)

interface Day {
  date: string
  another: string
  first: number
  second: number
}
const attendees = [
  { name: 'Huda', title: 'Director' },
  { name: 'Sami', kind: 'external' },
]
/** A day with two meetings, and an archive of it. */
async function archived() {
  const [date, another] = [newDay(), newDay()]
  const { id: first } = await meet(date, { attendees, notes: 'Two\nlines', locationEn: 'Hall' })
  const { id: second } = await meet(date, { startTime: null, endTime: null, meetingUrl: 'https://meet.example.org' })
  return { day: { date, another, first, second }, one: await archive(date) }
}
const freshness = async (one: { id: number }) => {
  const { stale, changedSince } = await shown(one)
  return { stale, changedSince }
}
const FRESH = { stale: false, changedSince: null }
/** The time of the last change of a meeting. */
const lastChange = async (id: number) =>
  (
    await portal.sql<{ at: Date }>(`select at from ledger where target_type = 'meeting' and target_id = $1 order by id desc limit 1`, [id])
  )[0]!.at.toISOString()

const patch = (id: number, body: object) => portal.admin.patch(`${MEETINGS}/${id}`, body)
const order = (date: string, ...ids: number[]) => portal.admin.put(`${MEETINGS}/order`, { date, ids })
const changes: [what: string, change: (day: Day) => Promise<unknown>, back: (day: Day) => Promise<unknown>][] = [
  ['another title', ({ first }) => patch(first, { titleEn: 'Other' }), ({ first }) => patch(first, { titleEn: 'Budget' })],
  ['another status', ({ first }) => patch(first, { status: 'cancelled' }), ({ first }) => patch(first, { status: 'scheduled' })],
  [
    'attendees in another order',
    ({ first }) => patch(first, { attendees: attendees.toReversed() }),
    ({ first }) => patch(first, { attendees }),
  ],
  [
    'meetings in another order',
    ({ date, first, second }) => order(date, second, first),
    ({ date, first, second }) => order(date, first, second),
  ],
  [
    'a meeting that moved to another day',
    ({ first, another }) => patch(first, { date: another }),
    async ({ date, first, second }) => {
      await patch(first, { date })
      await order(date, first, second)
    },
  ],
]
for (const [what, change, back] of changes)
  test(`an archive is stale because of ${what} until the change is reverted`, async () => {
    const { day, one } = await archived()
    assert.deepEqual(await freshness(one), FRESH)
    await change(day)
    const { stale, changedSince } = await freshness(one)
    assert.equal(stale, true)
    assert.ok([await lastChange(day.first), await lastChange(day.second)].includes(changedSince))
    await back(day)
    assert.deepEqual(await freshness(one), FRESH)
  })

test('added and deleted meetings make an archive stale, from the time of the first change', async () => {
  const { day, one } = await archived()
  const { id } = await meet(day.date, { startTime: '15:00' })
  const since = await lastChange(id)
  assert.deepEqual(await freshness(one), { stale: true, changedSince: since })
  await portal.admin.delete(`${MEETINGS}/${day.second}`)
  assert.deepEqual(await freshness(one), { stale: true, changedSince: since })
  const again = await archive(day.date)
  assert.deepEqual(await freshness(again), FRESH)
  assert.equal((await freshness(one)).stale, true)
})

test('the first meeting of a day makes an archive of the empty day stale', async () => {
  const date = newDay()
  const one = await archive(date)
  assert.deepEqual(await freshness(one), FRESH)
  const { id } = await meet(date)
  assert.deepEqual(await freshness(one), { stale: true, changedSince: await lastChange(id) })
})

test('changes of fields that are not printed do not make an archive stale', async () => {
  const date = newDay()
  const [author, guest] = [await newPerson({ roles: ['executive_coordinator'] }), await newPerson()]
  await author.post(MEETINGS, { date, titleEn: 'Budget', attendees: [{ name: 'Guest', userId: guest.id }] })
  const one = await archive(date)
  await portal.admin.put(`${MEETINGS}/font-settings`, { fontSize: 20 })
  await meet(newDay())
  for (const { id } of [author, guest]) assert.equal((await portal.admin.delete(`/users/${id}`)).status, 204)
  assert.deepEqual(await freshness(one), FRESH)
})

test('a change that was not yet committed when the day was archived counts from the time of archiving', async () => {
  const { day, one } = await archived()
  await patch(day.first, { titleEn: 'Other' })
  await portal.meddle('pdf_archive', one.id, `update pdf_archives set created_at = created_at + interval '1 hour' where id = ${one.id}`)
  const { createdAt, changedSince } = await shown(one)
  assert.equal(changedSince, createdAt)
})
