/** What those who attend a meeting are told, in both languages; and what becomes of meetings whose people are deleted. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers } from '../../../test/makers.ts'
import { DAY, MEETINGS, meetingPortal, notified, TASKS } from '../../../test/meetings.ts'
import { type Client, testPortal } from '../../../test/portal.ts'

const portal = testPortal()
const { newPerson } = makers(portal)
const { newMeeting, newTask, whenReady } = meetingPortal(portal)

const attending = (...people: Client[]) => people.map(({ id, username }) => ({ name: username, userId: id }))
const readBy = async (person: Client) => {
  const { titleAr, titleEn, bodyAr, bodyEn, type, relatedType, relatedId } = (await person.get('/notifications?limit=1')).body[0]
  return { titleAr, titleEn, bodyAr, bodyEn, type, relatedType, relatedId }
}

interface Case {
  what: string
  patch: object
  title: string | null
}
const moved = 'The time or place of a meeting changed'
const cases: Case[] = [
  { what: 'the day', patch: { date: '2030-05-03' }, title: moved },
  { what: 'the start', patch: { startTime: '08:00' }, title: moved },
  { what: 'the end', patch: { endTime: '11:00' }, title: moved },
  { what: 'the place', patch: { locationAr: 'القاعة' }, title: moved },
  { what: 'the address', patch: { meetingUrl: 'https://meet.example.org/1' }, title: moved },
  { what: 'the status to cancelled', patch: { status: 'cancelled' }, title: 'A meeting was cancelled' },
  {
    what: 'the place and of the status to cancelled',
    patch: { status: 'cancelled', locationEn: 'Hall' },
    title: 'A meeting was cancelled',
  },
  { what: 'the status to postponed', patch: { status: 'postponed' }, title: 'A meeting was postponed' },
  { what: 'the status to completed', patch: { status: 'completed' }, title: null },
  { what: 'the notes', patch: { notes: 'Bring the plan' }, title: null },
  { what: 'the title', patch: { titleEn: 'Plan' }, title: null },
  { what: 'the highlighting', patch: { isHighlighted: true }, title: null },
]
for (const { what, patch, title } of cases)
  test(`a change of ${what} tells the attendees ${title ? `“${title}”` : 'nothing'}, and its author nothing`, async () => {
    await whenReady()
    const [one, other] = [await newPerson(), await newPerson()]
    const { id } = await newMeeting({ attendees: [...attending(one, other, portal.admin, one), { name: 'Ann' }] })
    const { notices } = await portal.traces(() => portal.admin.patch(`${MEETINGS}/${id}`, patch))
    assert.deepEqual(notified(notices), title ? [one, other].map((person) => [person.id, title]) : [])
  })

test('when a meeting moves and its attendees change, new ones are told they were added, the others that it moved, and removed ones nothing', async () => {
  const [stays, goes, comes] = [await newPerson(), await newPerson(), await newPerson()]
  const { id } = await newMeeting({ attendees: attending(stays, goes) })
  const { notices } = await portal.traces(() =>
    portal.admin.patch(`${MEETINGS}/${id}`, { startTime: '09:30', attendees: attending(comes, stays) }),
  )
  assert.deepEqual(notified(notices), [
    [stays.id, moved],
    [comes.id, 'You were added to a meeting'],
  ])
})

test('rescheduling, copying and deleting a meeting tell its attendees, and reordering the day does not', async () => {
  const guest = await newPerson()
  const { id } = await newMeeting({ status: 'cancelled', attendees: attending(guest) })
  const tell = async (act: () => Promise<unknown>) => notified((await portal.traces(act)).notices)
  assert.deepEqual(await tell(() => portal.admin.patch(`${MEETINGS}/${id}`, { status: 'scheduled' })), [
    [guest.id, 'You are invited to a meeting'],
  ])
  assert.deepEqual(await tell(() => portal.admin.put(`${MEETINGS}/order`, { date: DAY, ids: [id] })), [])
  assert.deepEqual(await tell(() => portal.admin.post(`${MEETINGS}/${id}/duplicate`, { date: DAY })), [
    [guest.id, 'You are invited to a meeting'],
  ])
  assert.deepEqual(await tell(() => portal.admin.delete(`${MEETINGS}/${id}`)), [[guest.id, 'A meeting was deleted']])
})

test('attendees who can open the meeting are told its title and time, in both calendars and both languages', async () => {
  const guest = await newPerson({ roles: ['executive_viewer'] })
  const { id } = await newMeeting({ date: '2026-11-21', titleAr: 'الميزانية', titleEn: 'Budget', attendees: attending(guest) })
  assert.deepEqual(await readBy(guest), {
    titleAr: 'دُعيت إلى اجتماع',
    titleEn: 'You are invited to a meeting',
    bodyAr: '«الميزانية»، يوم السبت، 21 نوفمبر 2026 (11 جمادى الآخرة 1448 هـ)، الساعة 09:00.',
    bodyEn: '“Budget”, Saturday, 21 November 2026 (11 Jumada II 1448 AH) at 09:00.',
    type: 'meeting',
    relatedType: 'meeting',
    relatedId: id,
  })
  await portal.admin.patch(`${MEETINGS}/${id}`, { startTime: null, endTime: null, titleEn: '', locationEn: 'Great hall' })
  const { bodyAr, bodyEn } = await readBy(guest)
  assert.equal(bodyAr, 'اجتماع «الميزانية»: يوم السبت، 21 نوفمبر 2026 (11 جمادى الآخرة 1448 هـ)، Great hall.')
  assert.equal(bodyEn, '“الميزانية” is now on Saturday, 21 November 2026 (11 Jumada II 1448 AH), Great hall.')
})

test('attendees who cannot open the meeting are told everything about it, without a link', async () => {
  const guest = await newPerson()
  const { id } = await newMeeting({
    date: '2026-11-21',
    locationAr: 'القاعة الكبرى',
    locationEn: 'Great hall',
    meetingUrl: 'https://meet.example.org/1',
    attendees: attending(guest),
  })
  assert.equal((await guest.get(`${MEETINGS}/${id}`)).status, 403)
  const links = { type: 'meeting', relatedType: null, relatedId: null }
  assert.deepEqual(await readBy(guest), {
    titleAr: 'دُعيت إلى اجتماع',
    titleEn: 'You are invited to a meeting',
    bodyAr:
      '«الميزانية»، يوم السبت، 21 نوفمبر 2026 (11 جمادى الآخرة 1448 هـ)، الساعة 09:00 حتى 10:00، القاعة الكبرى، https://meet.example.org/1.',
    bodyEn: '“Budget”, Saturday, 21 November 2026 (11 Jumada II 1448 AH) at 09:00 until 10:00, Great hall, https://meet.example.org/1.',
    ...links,
  })
  await portal.admin.patch(`${MEETINGS}/${id}`, { startTime: '09:30', locationAr: null, locationEn: null, meetingUrl: null })
  const { bodyEn, relatedType } = await readBy(guest)
  assert.deepEqual(
    [bodyEn, relatedType],
    ['“Budget” is now on Saturday, 21 November 2026 (11 Jumada II 1448 AH) at 09:30 until 10:00.', null],
  )
})

test('meetings and tasks outlive the people who made or attend them, and the log keeps their names', async () => {
  const person = await newPerson({ roles: ['executive_coordinator'] })
  const meeting = await newMeeting({ attendees: attending(person) }, person)
  const task = await newTask({ meetingId: meeting.id, assigneeId: person.id }, person)
  const gone = await portal.admin.delete(`/users/${person.id}`)
  assert.equal(gone.status, 204, gone.text)
  const { body } = await portal.admin.get(`${MEETINGS}/${meeting.id}`)
  assert.deepEqual(body, { ...meeting, createdBy: null, attendees: [{ ...meeting.attendees[0]!, userId: null }] })
  const [left] = (await portal.admin.get(`${TASKS}?date=${DAY}`)).body.filter(({ id }: { id: number }) => id === task.id)
  assert.deepEqual(left, { ...task, createdBy: null, assigneeId: null })
  const { entries } = (await portal.admin.get(`${MEETINGS}/audit-logs?entityKind=meeting&entityId=${meeting.id}`)).body
  assert.deepEqual(
    entries.map(({ action, actor }: { action: string; actor: { id: number; username: string } }) => [action, actor.id, actor.username]),
    [['create', person.id, person.username]],
  )
  for (const { status } of [
    await portal.admin.patch(`${MEETINGS}/${meeting.id}`, { notes: 'Still here' }),
    await portal.admin.patch(`${TASKS}/${task.id}`, { status: 'done' }),
    await portal.admin.delete(`${MEETINGS}/${meeting.id}`),
  ])
    assert.ok(status < 300)
})
