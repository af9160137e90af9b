/** The notifications of a meeting's attendees, in both languages, and meetings whose people are deleted. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY, MEETINGS, notified, TASKS } from '../../../../test/meetings.ts'
import type { Client } from '../../../../test/portal.ts'
import { seededPortal } from '../../../../test/seed.ts'

const { portal, org, make, meeting } = seededPortal()

const attending = (...people: Client[]) => people.map(({ id, username }) => ({ name: username, userId: id }))
/** The people whom a call notifies, with the titles. */
const notifiedBy = async (act: () => Promise<unknown>) => notified((await portal.traces(act)).notices)
/** The newest notification of a person. */
const readBy = async (person: Client) => {
  const { titleAr, titleEn, bodyAr, bodyEn, type, relatedType, relatedId } = (await person.get('/notifications?limit=1')).body[0]
  return { titleAr, titleEn, bodyAr, bodyEn, type, relatedType, relatedId }
}

const MOVED = 'The time or place of a meeting changed'
const INVITED = 'You are invited to a meeting'
const cases: [what: string, patch: object, title: string | null][] = [
  ['the day', { date: '2030-05-03' }, MOVED],
  ['the start', { startTime: '08:00' }, MOVED],
  ['the end', { endTime: '11:00' }, MOVED],
  ['the place', { locationAr: 'القاعة' }, MOVED],
  ['the address', { meetingUrl: 'https://meet.example.org/1' }, MOVED],
  ['the status to cancelled', { status: 'cancelled' }, 'A meeting was cancelled'],
  ['the place and the status to cancelled', { status: 'cancelled', locationEn: 'Hall' }, 'A meeting was cancelled'],
  ['the status to postponed', { status: 'postponed' }, 'A meeting was postponed'],
  ['the status to completed', { status: 'completed' }, null],
  ['the notes', { notes: 'Bring the plan' }, null],
  ['the title', { titleEn: 'Plan' }, null],
  ['the highlighting', { isHighlighted: true }, null],
]
for (const [what, patch, title] of cases)
  test(`a change of ${what} sends each attendee but its author ${title ? `“${title}” once` : 'nothing'}`, async () => {
    const attendees = [...attending(org.huda, org.omar, org.tariq, org.huda), { name: 'Ann' }]
    const { id } = await meeting({ attendees })
    const notices = await notifiedBy(() => org.tariq.patch(`${MEETINGS}/${id}`, patch))
    assert.deepEqual(notices, title ? [org.huda, org.omar].map((person) => [person.id, title]) : [])
  })

test('when a meeting moves and its attendees change, each person gets the notice that concerns them', async () => {
  const { id } = await meeting({ attendees: attending(org.huda, org.omar) })
  const attendees = attending(org.salem, org.huda)
  assert.deepEqual(await notifiedBy(() => org.tariq.patch(`${MEETINGS}/${id}`, { startTime: '09:30', attendees })), [
    [org.huda.id, MOVED],
    [org.salem.id, 'You were added to a meeting'],
    [org.omar.id, 'You are no longer invited to a meeting'],
  ])
})

test('rescheduling, copying and deleting a meeting notify its attendees, and reordering the day does not', async () => {
  const { id } = await meeting({ status: 'cancelled', attendees: attending(org.huda) })
  const invited = [[org.huda.id, INVITED]]
  assert.deepEqual(await notifiedBy(() => org.tariq.patch(`${MEETINGS}/${id}`, { status: 'scheduled' })), invited)
  assert.deepEqual(await notifiedBy(() => org.tariq.put(`${MEETINGS}/order`, { date: DAY, ids: [id] })), [])
  assert.deepEqual(await notifiedBy(() => org.tariq.post(`${MEETINGS}/${id}/duplicate`, { date: DAY })), invited)
  assert.deepEqual(await notifiedBy(() => org.tariq.delete(`${MEETINGS}/${id}`)), [[org.huda.id, 'A meeting was deleted']])
})

const linked = (id: number) => ({ type: 'meeting', relatedType: 'meeting', relatedId: id })
const unlinked = { type: 'meeting', relatedType: null, relatedId: null }

test('the notice to attendees who can open the meeting has its title and time, in both calendars and both languages', async () => {
  const { id } = await meeting({ date: '2026-11-21', titleAr: 'الميزانية', attendees: attending(org.faisal) })
  assert.deepEqual(await readBy(org.faisal), {
    titleAr: 'دُعيت إلى اجتماع',
    titleEn: INVITED,
    bodyAr: 'دُعيت إلى اجتماع «الميزانية» يوم السبت، 21 نوفمبر 2026 (11 جمادى الآخرة 1448 هـ)، الساعة 09:00.',
    bodyEn: 'You are invited to “Budget” on Saturday, 21 November 2026 (11 Jumada II 1448 AH) at 09:00.',
    ...linked(id),
  })
})

test('the notice of a move has the new time and place', async () => {
  const { id } = await meeting({ date: '2026-11-21', titleAr: 'الميزانية', attendees: attending(org.faisal) })
  await org.tariq.patch(`${MEETINGS}/${id}`, { startTime: null, endTime: null, titleEn: '', locationEn: 'Great hall' })
  const { bodyAr, bodyEn } = await readBy(org.faisal)
  assert.equal(bodyAr, 'صار اجتماع «الميزانية» يوم السبت، 21 نوفمبر 2026 (11 جمادى الآخرة 1448 هـ)، Great hall.')
  assert.equal(bodyEn, '“الميزانية” is now on Saturday, 21 November 2026 (11 Jumada II 1448 AH), Great hall.')
})

const places = { locationAr: 'القاعة الكبرى', locationEn: 'Great hall', meetingUrl: 'https://meet.example.org/1' }

test('the notice to attendees who cannot open the meeting has all details and no link', async () => {
  const { id } = await meeting({ date: '2026-11-21', titleAr: 'الميزانية', ...places, attendees: attending(org.huda) })
  assert.equal((await org.huda.get(`${MEETINGS}/${id}`)).status, 403)
  assert.deepEqual(await readBy(org.huda), {
    titleAr: 'دُعيت إلى اجتماع',
    titleEn: INVITED,
    bodyAr:
      'دُعيت إلى اجتماع «الميزانية» يوم السبت، 21 نوفمبر 2026 (11 جمادى الآخرة 1448 هـ)، الساعة 09:00 حتى 10:00، القاعة الكبرى، https://meet.example.org/1.',
    bodyEn:
      'You are invited to “Budget” on Saturday, 21 November 2026 (11 Jumada II 1448 AH) at 09:00 until 10:00, Great hall, https://meet.example.org/1.',
    ...unlinked,
  })
})

test('the notice of a move has no link for attendees who cannot open the meeting', async () => {
  const { id } = await meeting({ date: '2026-11-21', ...places, attendees: attending(org.huda) })
  await org.tariq.patch(`${MEETINGS}/${id}`, { startTime: '09:30', locationAr: null, locationEn: null, meetingUrl: null })
  const { bodyEn, relatedType } = await readBy(org.huda)
  assert.equal(bodyEn, '“Budget” is now on Saturday, 21 November 2026 (11 Jumada II 1448 AH) at 09:30 until 10:00.')
  assert.equal(relatedType, null)
})

test('people who cannot open a meeting are notified when they are no longer invited, and when it does not take place', async () => {
  const { id } = await meeting({ date: '2026-11-21', ...places, attendees: attending(org.huda, org.salem) })
  await org.tariq.patch(`${MEETINGS}/${id}`, { date: '2026-11-22', attendees: attending(org.salem) })
  const { bodyEn, relatedType } = await readBy(org.huda)
  assert.equal(
    bodyEn,
    'You are no longer invited to “Budget” on Saturday, 21 November 2026 (11 Jumada II 1448 AH) at 09:00 until 10:00, Great hall.',
  )
  assert.equal(relatedType, null)
  await org.tariq.patch(`${MEETINGS}/${id}`, { status: 'cancelled' })
  const day = 'Sunday, 22 November 2026 (12 Jumada II 1448 AH)'
  assert.equal((await readBy(org.salem)).bodyEn, `“Budget”, planned for ${day} at 09:00 until 10:00, Great hall, was cancelled.`)
})

test('a notification has the online address of a meeting only while the meeting is scheduled and the reader attends it', async () => {
  const { id } = await meeting({ ...places, attendees: attending(org.huda) })
  const [invitation] = (await org.huda.get('/notifications?limit=1')).body
  const changes: [patch: object, joinUrl: string | null][] = [
    [{ notes: 'Bring the plan' }, places.meetingUrl],
    [{ status: 'cancelled' }, null],
    [{ status: 'scheduled' }, places.meetingUrl],
    [{ meetingUrl: null }, null],
    [{ meetingUrl: 'https://meet.example.org/2' }, 'https://meet.example.org/2'],
    [{ attendees: attending(org.salem) }, null],
  ]
  for (const [patch, joinUrl] of changes) {
    await org.tariq.patch(`${MEETINGS}/${id}`, patch)
    assert.deepEqual((await org.huda.get(`/notifications/${invitation.id}`)).body, { ...invitation, joinUrl }, JSON.stringify(patch))
  }
  await org.tariq.delete(`${MEETINGS}/${id}`)
  assert.equal((await org.salem.get('/notifications?limit=1')).body[0].joinUrl, null)
})

/** A meeting and a task of a person who is then deleted. */
async function leftBehind() {
  const person = await make.newPerson({ roles: ['executive_coordinator'] })
  const { conflicts: _, ...made } = await meeting({ attendees: attending(person) }, person)
  const { body: task } = await person.post(TASKS, { titleEn: 'Draft', meetingId: made.id, assigneeId: person.id })
  const { status, text } = await org.admin.delete(`/users/${person.id}`)
  assert.equal(status, 204, text)
  return { person, made, task }
}

test('meetings and tasks stay when the people who made or attend them are deleted', async () => {
  const { made, task } = await leftBehind()
  const { body } = await org.admin.get(`${MEETINGS}/${made.id}`)
  assert.deepEqual(body, { ...made, createdBy: null, attendees: [{ ...made.attendees[0], userId: null }] })
  const [left] = (await org.admin.get(`${TASKS}?date=${DAY}`)).body.filter(({ id }: { id: number }) => id === task.id)
  assert.deepEqual(left, { ...task, createdBy: null, assigneeId: null, assignee: null })
})

test('the log keeps the names of deleted people', async () => {
  const { person, made } = await leftBehind()
  const { entries } = (await org.admin.get(`${MEETINGS}/audit-logs?entityKind=meeting&entityId=${made.id}`)).body
  assert.equal(entries.length, 1)
  const [{ action, actor }] = entries
  assert.deepEqual([action, actor.id, actor.username], ['create', person.id, person.username])
})

test('meetings and tasks of deleted people can be changed and deleted', async () => {
  const { made, task } = await leftBehind()
  assert.equal((await org.admin.patch(`${MEETINGS}/${made.id}`, { notes: 'Still here' })).status, 200)
  assert.equal((await org.admin.patch(`${TASKS}/${task.id}`, { status: 'done' })).status, 200)
  assert.equal((await org.admin.delete(`${MEETINGS}/${made.id}`)).status, 204)
})
