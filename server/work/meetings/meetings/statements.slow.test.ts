/** The number of statements of a call does not depend on the number of meetings, tasks and requests of a day. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { statementsDuring } from '../../../../test/counting.ts'
import { makers } from '../../../../test/makers.ts'
import { MEETINGS, meetingPortal, TASKS } from '../../../../test/meetings.ts'
import { testPortal } from '../../../../test/portal.ts'
import * as tasks from '../tasks/routes.ts'
import * as meetings from './routes.ts'

const portal = testPortal()
const { newPerson } = makers(portal)
const { newMeeting, newTask, whenReady } = meetingPortal(portal)
const many = <T>(count: number, one: (n: number) => Promise<T>) => Promise.all(Array.from({ length: count }, (_, n) => one(n)))

const year = (size: number) => 2040 + size
/** A day with `size` meetings, each with `size` attendees, tasks and requests; and another, empty day. */
async function seed(size: number) {
  const [date, elsewhere] = [`${year(size)}-03-01`, `${year(size)}-03-02`]
  const guests = await many(size, () => newPerson({ roles: ['executive_viewer'] }))
  const attendees = guests.map(({ id, username }) => ({ name: username, userId: id }))
  const whole = async () => {
    const meeting = await newMeeting({ date, attendees })
    await many(size, (n) => newTask({ meetingId: meeting.id, assigneeId: guests[n]!.id, dueDate: elsewhere }))
    await many(size, () => portal.admin.post(`${MEETINGS}/${meeting.id}/requests`, { type: 'note', details: { text: 'Why?' } }))
    return meeting.id
  }
  const ids: number[] = []
  for (let n = 0; n < size; n++) ids.push(await whole())
  const task = (await newTask({ meetingId: ids[0], assigneeId: guests[0]!.id })).id
  return { size, date, elsewhere, attendees, ids, whole, task, guest: guests[0]! }
}
type Fixture = Awaited<ReturnType<typeof seed>>

/** Each endpoint, the case, the status of its answer, and the request. */
const cases: [
  at: string,
  what: string,
  status: number,
  ask: (fixture: Fixture) => Promise<[path: string, body?: object]> | [path: string, body?: object],
][] = [
  ['GET /executive-meetings/me', 'a standing', 200, () => [`${MEETINGS}/me`]],
  ['GET /executive-meetings/people', 'the people with access', 200, () => [`${MEETINGS}/people`]],
  ['GET /executive-meetings/dates', 'days', 200, ({ size }) => [`${MEETINGS}/dates?from=${year(size)}-01-01`]],
  ['GET /executive-meetings', 'a day', 200, ({ date }) => [`${MEETINGS}?date=${date}`]],
  ['GET /executive-meetings', 'a month', 200, ({ size }) => [`${MEETINGS}?from=${year(size)}-03-01&to=${year(size)}-03-31`]],
  ['GET /executive-meetings/:id', 'a meeting', 200, ({ ids }) => [`${MEETINGS}/${ids[0]}`]],
  ['POST /executive-meetings', 'a meeting', 201, ({ date, attendees }) => [MEETINGS, { date, titleEn: 'Budget', attendees }]],
  ['PATCH /executive-meetings/:id', 'its time', 200, ({ ids }) => [`${MEETINGS}/${ids[0]}`, { startTime: '08:00' }]],
  [
    'PATCH /executive-meetings/:id',
    'its attendees',
    200,
    ({ ids, attendees }) => [`${MEETINGS}/${ids[0]}`, { attendees: [...attendees, { name: 'Ann' }] }],
  ],
  ['PATCH /executive-meetings/:id', 'its day', 200, async ({ whole, elsewhere }) => [`${MEETINGS}/${await whole()}`, { date: elsewhere }]],
  [
    'POST /executive-meetings/:id/duplicate',
    'a copy',
    201,
    ({ ids, elsewhere }) => [`${MEETINGS}/${ids[0]}/duplicate`, { date: elsewhere }],
  ],
  ['PUT /executive-meetings/order', 'an order', 200, ({ ids, date }) => [`${MEETINGS}/order`, { date, ids: ids.toReversed() }]],
  ['DELETE /executive-meetings/:id', 'a meeting', 204, async ({ whole }) => [`${MEETINGS}/${await whole()}`]],
  ['GET /executive-meetings/audit-logs', 'the log', 200, () => [`${MEETINGS}/audit-logs?limit=200`]],
  ['GET /executive-meetings/audit-logs', 'of a meeting', 200, ({ ids }) => [`${MEETINGS}/audit-logs?entityId=${ids[0]}&action=update`]],
  ['GET /executive-meetings/tasks', 'tasks', 200, () => [TASKS]],
  ['GET /executive-meetings/tasks', 'of a day', 200, ({ date }) => [`${TASKS}?date=${date}`]],
  ['GET /executive-meetings/tasks/counts', 'counts', 200, ({ date }) => [`${TASKS}/counts?date=${date}`]],
  ['GET /executive-meetings/tasks/:id', 'a task', 200, ({ task }) => [`${TASKS}/${task}`]],
  [
    'POST /executive-meetings/tasks',
    'a task',
    201,
    ({ ids, guest }) => [TASKS, { titleEn: 'Draft', meetingId: ids[0], assigneeId: guest.id }],
  ],
  ['PATCH /executive-meetings/tasks/:id', 'a task', 200, ({ task }) => [`${TASKS}/${task}`, { status: 'done' }]],
  ['DELETE /executive-meetings/tasks/:id', 'a task', 204, ({ task }) => [`${TASKS}/${task}`]],
  ['DELETE /users/:id', 'the person who attends all of them', 204, ({ guest }) => [`/users/${guest.id}`]],
]

const [SMALL, LARGE] = [2, 12]
/** For each case, the statements at both sizes. */
const taken = cases.map((): string[][] => [])
before(async () => {
  await whenReady()
  for (const size of [SMALL, LARGE]) {
    const fixture = await seed(size)
    for (const [n, [at, what, status, ask]] of cases.entries()) {
      const [path, body] = await ask(fixture)
      const statements = await statementsDuring(async () => {
        const answer = await portal.admin.send(at.split(' ')[0]!, path, body)
        assert.equal(answer.status, status, `${at}, ${what}: ${answer.text}`)
      })
      taken[n]!.push(statements)
    }
  }
})

for (const [n, [at, what]] of cases.entries())
  test(`${at}, ${what}: sends as many statements with ${LARGE} of everything as with ${SMALL}`, (t) => {
    const [few, many] = taken[n] as [string[], string[]]
    t.diagnostic(`${few.length} statements`)
    assert.match(few[0]!, /from sessions/)
    assert.equal(many.length, few.length, `${many.join('\n')}\n\nwhere few were\n\n${few.join('\n')}`)
  })

test('the statements of every endpoint of meetings and tasks are counted', () => {
  const all = [meetings, tasks].flatMap((feature) => Object.values(feature).map(({ at }) => at as string))
  assert.deepEqual([...new Set(cases.map(([at]) => at))].toSorted(), [...all, 'DELETE /users/:id'].toSorted())
})
