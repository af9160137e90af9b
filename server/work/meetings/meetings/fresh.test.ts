/** A day's meetings are cached, and never served stale. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers } from '../../../../test/makers.ts'
import { type MadeMeeting, MEETINGS, meetingPortal, TASKS } from '../../../../test/meetings.ts'
import { Client, testPortal } from '../../../../test/portal.ts'

const portal = testPortal()
const { newPerson } = makers(portal)
const { newMeeting, whenReady } = meetingPortal(portal)
const DAY = '2033-03-03'
const DAYS = `${MEETINGS}?from=2033-03-01&to=2033-03-31`

test('the next reader sees every change, at both instances', async () => {
  await whenReady()
  const { base } = await portal.another()
  const elsewhere = Object.assign(new Client(base), { cookie: portal.admin.cookie })
  const guest = await newPerson()
  let last = ''
  async function changes(what: string, act: () => Promise<unknown>) {
    await act()
    const seen = await Promise.all([portal.admin, elsewhere].map(async (who) => (await who.get(DAYS)).text))
    assert.equal(seen[0], seen[1], what)
    assert.notEqual(seen[0], last, what)
    last = seen[0]!
  }
  await changes('nothing there', async () => {})
  let meeting!: MadeMeeting
  await changes('a meeting', async () => {
    meeting = await newMeeting({ date: DAY, attendees: [{ name: 'Ann', userId: guest.id }, { name: 'Bob' }] })
  })
  const at = `${MEETINGS}/${meeting.id}`
  await changes('its notes', () => portal.admin.patch(at, { notes: 'Bring the plan' }))
  await changes('its attendees', () => portal.admin.patch(at, { attendees: [{ name: 'Ann', userId: guest.id }, { name: 'Cy' }] }))
  await changes('an attendee is deleted', () => portal.admin.delete(`/users/${guest.id}`))
  await changes('another', () => newMeeting({ date: DAY }))
  await changes('their order', () => portal.admin.put(`${MEETINGS}/order`, { date: DAY, ids: [meeting.id] }))
  await changes('it goes elsewhere', () => portal.admin.patch(at, { date: '2033-04-01' }))
  await changes('it comes back', () => portal.admin.patch(at, { date: DAY }))
  await changes('it is deleted', () => portal.admin.delete(at))
  assert.equal((await portal.admin.get(`${TASKS}?date=${DAY}`)).status, 200)
})

test('during concurrent writes, a reader sees every change that was acknowledged before the read began', async () => {
  const meeting = await newMeeting({ date: '2033-05-05', notes: '0' })
  let written = 0
  let isOver = false
  const write = async () => {
    for (let n = 1; n <= 40; n++) {
      await portal.admin.patch(`${MEETINGS}/${meeting.id}`, { notes: String(n) })
      written = n
    }
    isOver = true
  }
  const read = async () => {
    let reads = 0
    while (!isOver) {
      const least = written
      const { body } = await portal.admin.get(`${MEETINGS}?date=2033-05-05`)
      assert.ok(Number(body[0].notes) >= least, `${body[0].notes} where ${least} was answered`)
      reads++
    }
    return reads
  }
  const [, ...reads] = await Promise.all([write(), read(), read(), read(), read(), read(), read()])
  assert.ok(reads.every((count) => count! > 0))
})
