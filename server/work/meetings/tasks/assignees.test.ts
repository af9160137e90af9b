/** A task names its assignee, even one who has since lost access or been deactivated. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type MadeTask, TASKS } from '../../../../test/meetings.ts'
import { seededPortal } from '../../../../test/seed.ts'

const { portal, org, make } = seededPortal()
const newTask = async (fields: object) => (await portal.admin.post(TASKS, { titleEn: 'Draft', ...fields })).body as MadeTask

test('a task names its assignee, even one who lost access or was deactivated', async () => {
  const reader = org.faisal
  const people = [await make.newPerson({ roles: ['executive_viewer'] }), await make.newPerson({ roles: ['executive_viewer'] })] as const
  const tasks = [
    await newTask({ assigneeId: people[0].id, dueDate: '2033-02-01' }),
    await newTask({ assigneeId: people[1].id, dueDate: '2033-02-01' }),
  ]
  await portal.admin.delete(`/users/${people[0].id}/roles/executive_viewer`)
  await portal.admin.patch(`/users/${people[1].id}`, { isActive: false })
  const named = ({ assignee }: MadeTask) => assignee?.username
  const expected = people.map(({ username }) => username)
  assert.deepEqual((await reader.get(`${TASKS}?date=2033-02-01`)).body.map(named), expected)
  for (const [n, { id }] of tasks.entries()) {
    assert.equal(named((await reader.get(`${TASKS}/${id}`)).body), expected[n])
    assert.equal(named((await portal.admin.patch(`${TASKS}/${id}`, { details: 'Soon' })).body), expected[n])
  }
})

test('the version of a task stays the same when its assignee is renamed', async () => {
  const person = await make.newPerson({ roles: ['executive_viewer'] })
  const { id } = await newTask({ assigneeId: person.id })
  const { headers } = await portal.admin.get(`${TASKS}/${id}`)
  await portal.admin.patch(`/users/${person.id}`, { displayNameEn: 'Somebody Else' })
  const version = { 'if-match': headers.get('etag')! }
  assert.equal((await portal.admin.send('PATCH', `${TASKS}/${id}`, { status: 'done' }, version)).status, 200)
})

test('a deactivated assignee keeps the task until it is assigned to someone else', async () => {
  const leaver = await make.newPerson({ roles: ['executive_viewer'] })
  const { id } = await newTask({ assigneeId: leaver.id })
  await portal.admin.patch(`/users/${leaver.id}`, { isActive: false })
  const { status, body } = await portal.admin.patch(`${TASKS}/${id}`, { assigneeId: leaver.id, status: 'done' })
  assert.deepEqual([status, body.assigneeId, body.status], [200, leaver.id, 'done'])
})
