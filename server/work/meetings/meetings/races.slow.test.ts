/** Simultaneous changes of meetings, over two instances, end as if they were made one after the other. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makers } from '../../../../test/makers.ts'
import { type MadeMeeting, MEETINGS, meetingPortal, TASKS } from '../../../../test/meetings.ts'
import { Client, testPortal } from '../../../../test/portal.ts'
import { type Act, outcome, race } from '../../../../test/race.ts'

const portal = testPortal()
const { newPerson } = makers(portal)
const { newMeeting, newTask, whenReady } = meetingPortal(portal)
const ROUNDS = 16

/** A person’s clients at both instances. */
type Everywhere = [Client, Client]
let opened: Promise<string> | undefined
async function everywhere(person: Client): Promise<Everywhere> {
  await whenReady()
  opened ??= portal.another().then(({ base }) => base)
  const elsewhere = await opened
  return [person, Object.assign(new Client(elsewhere), { cookie: person.cookie, id: person.id, username: person.username })]
}

let day = 0
const freshDay = () => `${2040 + ++day}-03-15`
const onDay = async (date: string): Promise<MadeMeeting[]> => (await portal.admin.get(`${MEETINGS}?date=${date}`)).body
const idsOf = (meetings: { id: number }[]) => meetings.map(({ id }) => id)
const addMany = (date: string, count: number) =>
  Promise.all(Array.from({ length: count }, (_, n) => newMeeting({ date, titleEn: `Meeting ${n}`, attendees: [{ name: 'Ann' }] })))
const shuffled = (ids: number[], by: number) =>
  ids.toSorted((one, other) => ((one * 7 + by * 3) % 11) - ((other * 7 + by * 3) % 11) || one - other)

test('one of two simultaneous orders of a day wins, and meetings added at the same time come last', async () => {
  const [here, there] = await everywhere(portal.admin)
  for (let round = 0; round < ROUNDS; round++) {
    const [date, before] = [freshDay(), freshDay()]
    const ids = idsOf(await addMany(date, 8))
    const [mover] = await addMany(before, 1)
    const [one, other] = [shuffled(ids, round), shuffled(ids, round + 5)]
    const [first, second, ...comers] = await Promise.all([
      here.put(`${MEETINGS}/order`, { date, ids: one }),
      there.put(`${MEETINGS}/order`, { date, ids: other }),
      here.post(MEETINGS, { date, titleEn: 'Newcomer', startTime: '00:00' }),
      there.post(MEETINGS, { date, titleEn: 'Newcomer', startTime: '00:01' }),
      there.patch(`${MEETINGS}/${mover!.id}`, { date }),
    ])
    assert.deepEqual([first, second, ...comers].map(outcome), ['200', '200', '201', '201', '200'])
    const left = await onDay(date)
    const came = comers.map(({ body }) => body.id as number)
    const order = idsOf(left).filter((id) => !came.includes(id))
    assert.ok(
      [one, other].some((wanted) => String(wanted) === String(order)),
      `${order} is neither ${one} nor ${other}`,
    )
    assert.deepEqual(idsOf(left).slice(-3).toSorted(), came.toSorted())
    assert.deepEqual(
      left.map(({ sortOrder }) => sortOrder),
      left.map((_, place) => place + 1),
    )
    // A meeting added later comes last.
    assert.equal((await newMeeting({ date })).sortOrder, left.length + 1)
  }
})

test('no meeting is lost when meetings move between two days while both are ordered', async () => {
  const [here, there] = await everywhere(portal.admin)
  for (let round = 0; round < ROUNDS; round++) {
    const dates = [freshDay(), freshDay()] as const
    const [ones, others] = [idsOf(await addMany(dates[0], 4)), idsOf(await addMany(dates[1], 4))]
    const answers = await Promise.all([
      here.patch(`${MEETINGS}/${ones[0]}`, { date: dates[1] }),
      there.patch(`${MEETINGS}/${others[0]}`, { date: dates[0] }),
      there.put(`${MEETINGS}/order`, { date: dates[0], ids: ones.slice(1).reverse() }),
      here.put(`${MEETINGS}/order`, { date: dates[1], ids: others.slice(1).reverse() }),
    ])
    assert.deepEqual(answers.map(outcome), ['200', '200', '200', '200'])
    const [left, right] = [idsOf(await onDay(dates[0])), idsOf(await onDay(dates[1]))]
    assert.deepEqual(left, [...ones.slice(1).reverse(), others[0]])
    assert.deepEqual(right, [...others.slice(1).reverse(), ones[0]])
  }
})

interface Race {
  name: string
  meet: () => Promise<[Act, Act]>
  /** The possible results if the two acts are done one after the other. */
  endings: string[]
}
const newcomer = async () => everywhere(await newPerson({ roles: ['executive_coordinator'] }))
const races: Race[] = [
  {
    name: 'a change and a deletion',
    meet: async () => {
      const [admin, { id }] = [await everywhere(portal.admin), await newMeeting()]
      return [
        (at) => admin[at].patch(`${MEETINGS}/${id}`, { notes: 'Late', attendees: [{ name: 'Bob' }] }),
        (at) => admin[at].delete(`${MEETINGS}/${id}`),
      ]
    },
    endings: ['200, 204', '404 not_found, 204'],
  },
  {
    name: 'an order of a day and a deletion of one of its meetings',
    meet: async () => {
      const [admin, date] = [await everywhere(portal.admin), freshDay()]
      const ids = idsOf(await addMany(date, 4))
      return [
        (at) => admin[at].put(`${MEETINGS}/order`, { date, ids: ids.toReversed() }),
        (at) => admin[at].delete(`${MEETINGS}/${ids[1]}`),
      ]
    },
    endings: ['200, 204', '400 unknown_ids, 204'],
  },
  {
    name: 'a copy and a deletion',
    meet: async () => {
      const [admin, { id }] = [await everywhere(portal.admin), await newMeeting({ attendees: [{ name: 'Ann' }] })]
      return [(at) => admin[at].post(`${MEETINGS}/${id}/duplicate`, { date: '2031-01-01' }), (at) => admin[at].delete(`${MEETINGS}/${id}`)]
    },
    endings: ['201, 204', '404 not_found, 204'],
  },
  {
    name: 'a new meeting and the deletion of its author',
    meet: async () => {
      const [admin, author] = [await everywhere(portal.admin), await newcomer()]
      return [
        (at) => author[at].post(MEETINGS, { date: '2031-01-02', titleEn: 'Budget' }),
        (at) => admin[at].delete(`/users/${author[0].id}`),
      ]
    },
    endings: ['201, 204', '401 unauthorized, 204'],
  },
  {
    name: 'an invitation and the deletion of the invited person',
    meet: async () => {
      const [admin, guest] = [await everywhere(portal.admin), await newPerson()]
      const { id } = await newMeeting({ attendees: [{ name: 'Ann' }] })
      const attendees = [{ name: 'Guest', userId: guest.id }]
      return [(at) => admin[at].patch(`${MEETINGS}/${id}`, { attendees }), (at) => admin[at].delete(`/users/${guest.id}`)]
    },
    endings: ['200, 204', '400 unknown_ids, 204'],
  },
  {
    name: 'a change to a meeting and the deletion of the person who made and attends it',
    meet: async () => {
      const [admin, author] = [await everywhere(portal.admin), await newcomer()]
      const { id, attendees } = await newMeeting({ attendees: [{ name: 'Author', userId: author[0].id }] }, author[0])
      return [
        (at) => admin[at].patch(`${MEETINGS}/${id}`, { attendees: [...attendees, { name: 'Bob' }] }),
        (at) => admin[at].delete(`/users/${author[0].id}`),
      ]
    },
    endings: ['200, 204', '400 unknown_ids, 204'],
  },
  {
    name: 'adding a task to a meeting and the deletion of the meeting',
    meet: async () => {
      const [admin, { id }] = [await everywhere(portal.admin), await newMeeting()]
      return [(at) => admin[at].post(TASKS, { titleEn: 'Draft', meetingId: id }), (at) => admin[at].delete(`${MEETINGS}/${id}`)]
    },
    endings: ['201, 204', '400 unknown_ids, 204'],
  },
  {
    name: 'a change of a task and the deletion of its meeting',
    meet: async () => {
      const [admin, { id: meetingId }] = [await everywhere(portal.admin), await newMeeting()]
      const { id } = await newTask({ meetingId })
      return [(at) => admin[at].patch(`${TASKS}/${id}`, { status: 'done' }), (at) => admin[at].delete(`${MEETINGS}/${meetingId}`)]
    },
    endings: ['200, 204'],
  },
  {
    name: 'moving a task to another meeting and the deletion of that meeting',
    meet: async () => {
      const [admin, one, other] = [await everywhere(portal.admin), await newMeeting(), await newMeeting()]
      const { id } = await newTask({ meetingId: one.id })
      return [(at) => admin[at].patch(`${TASKS}/${id}`, { meetingId: other.id }), (at) => admin[at].delete(`${MEETINGS}/${other.id}`)]
    },
    endings: ['200, 204', '400 unknown_ids, 204'],
  },
  {
    name: 'a change of a task and the deletion of its assignee',
    meet: async () => {
      const [admin, assignee] = [await everywhere(portal.admin), await everywhere(await newPerson({ roles: ['executive_viewer'] }))]
      const { id } = await newTask({ assigneeId: assignee[0].id })
      return [(at) => assignee[at].patch(`${TASKS}/${id}`, { status: 'done' }), (at) => admin[at].delete(`/users/${assignee[0].id}`)]
    },
    endings: ['200, 204', '401 unauthorized, 204'],
  },
  {
    name: 'assigning a task and the deletion of its assignee',
    meet: async () => {
      const [admin, person] = [await everywhere(portal.admin), await newPerson({ roles: ['executive_viewer'] })]
      const { id } = await newTask()
      return [(at) => admin[at].patch(`${TASKS}/${id}`, { assigneeId: person.id }), (at) => admin[at].delete(`/users/${person.id}`)]
    },
    endings: ['200, 204', '400 unknown_ids, 204'],
  },
]

for (const { name, meet, endings } of races)
  test(`${name} at the same time end as if done one after the other`, async () => {
    await race(portal, endings, async () => ({ acts: await meet(), describe: async () => '' }))
    assert.deepEqual(
      await portal.sql('select id from meeting_tasks where meeting_id is not null and meeting_id not in (select id from meetings)'),
      [],
    )
  })

test('these races caused no deadlock', async () => {
  assert.equal(await portal.deadlocks(), 0)
})
