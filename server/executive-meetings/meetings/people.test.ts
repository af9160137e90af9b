/** What those who attend a meeting are told, in both languages; and what becomes of meetings whose people are deleted. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { house, type Visitor } from '../../../test/house.ts'
import { makers } from '../../../test/makers.ts'
import { DAY, MEETINGS, meetingHouse, notified, TASKS } from '../../../test/meetings.ts'

const portal = house()
const { newPerson } = makers(portal)
const { newMeeting, newTask, whenReady } = meetingHouse(portal)

const attending = (...people: Visitor[]) => people.map(({ id, username }) => ({ name: username, userId: id }))
const readBy = async (person: Visitor) => {
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
  { what: 'its day', patch: { date: '2030-05-03' }, title: moved },
  { what: 'its start', patch: { startTime: '08:00' }, title: moved },
  { what: 'its end', patch: { endTime: '11:00' }, title: moved },
  { what: 'its place', patch: { locationAr: 'القاعة' }, title: moved },
  { what: 'its address', patch: { meetingUrl: 'https://meet.example.org/1' }, title: moved },
  { what: 'that it is cancelled', patch: { status: 'cancelled' }, title: 'A meeting was cancelled' },
  {
    what: 'that it is cancelled and has another place',
    patch: { status: 'cancelled', locationEn: 'Hall' },
    title: 'A meeting was cancelled',
  },
  { what: 'that it is postponed', patch: { status: 'postponed' }, title: 'A meeting was postponed' },
  { what: 'that it is over', patch: { status: 'completed' }, title: null },
  { what: 'its notes', patch: { notes: 'Bring the plan' }, title: null },
  { what: 'its title', patch: { titleEn: 'Plan' }, title: null },
  { what: 'that it stands out', patch: { isHighlighted: true }, title: null },
]
for (const { what, patch, title } of cases)
  test(`of ${what}, those who attend are told ${title ? `“${title}”` : 'nothing'}, whoever changes it nothing`, async () => {
    await whenReady()
    const [one, other] = [await newPerson(), await newPerson()]
    const { id } = await newMeeting({ attendees: [...attending(one, other, portal.admin, one), { name: 'Ann' }] })
    const { notices } = await portal.traces(() => portal.admin.patch(`${MEETINGS}/${id}`, patch))
    assert.deepEqual(notified(notices), title ? [one, other].map((person) => [person.id, title]) : [])
  })

test('who comes to a meeting that moves is told that they did, who stays that it moved, who is taken out nothing', async () => {
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

test('a meeting that is scheduled again invites again; a copy invites, a deletion tells, a place in the day does not', async () => {
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

test('those who can open it read its title and when it is, by both calendars, in both languages', async () => {
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

test('whoever cannot open it reads all that there is to know, and is led nowhere', async () => {
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

test('meetings stay when whoever made or attends them is deleted, and so do tasks; the log keeps who it was', async () => {
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
