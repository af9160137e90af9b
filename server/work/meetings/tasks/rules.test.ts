import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MUTATE } from '../rules.ts'
import { checkPatch, checkTask, dueAround, taskNotices } from './rules.ts'
import type { TaskRecord } from './shapes.ts'

const ASSIGNEE = 3
const CREATOR = 4
const task = (fields: Partial<TaskRecord> = {}): TaskRecord =>
  ({
    titleAr: 'تقرير',
    titleEn: null,
    dueDate: '2026-03-01',
    status: 'open',
    assigneeId: ASSIGNEE,
    createdBy: CREATOR,
    ...fields,
  }) as TaskRecord

test('a task needs a title', () => {
  checkTask({ titleAr: 'x' })
  checkTask({ titleEn: 'x' })
  const paths = (error: { extras: { body: { details: { path: string }[] } } }) => error.extras.body.details.map(({ path }) => path).join()
  assert.throws(
    () => checkTask({ titleAr: ' ' }),
    (error: Parameters<typeof paths>[0]) => paths(error) === 'titleAr,titleEn',
  )
})

const [mutator, assignee, stranger] = [
  { id: 1, mayEnter: (allow: unknown) => allow === MUTATE },
  { id: ASSIGNEE, mayEnter: () => false },
  { id: 9, mayEnter: () => false },
]
test('people who may change meetings may change all fields of a task, and its assignee may change only the status', () => {
  checkPatch(task(), mutator, { titleEn: 'x', status: 'done' })
  checkPatch(task(), assignee, { status: 'done', titleEn: undefined })
  assert.throws(() => checkPatch(task(), assignee, { status: 'done', titleEn: 'x' }), { code: 'forbidden' })
  assert.throws(() => checkPatch(task(), assignee, { dueDate: null }), { code: 'forbidden' })
  assert.throws(() => checkPatch(task(), stranger, { status: 'done' }), { code: 'forbidden' })
})

test('a change affects the days on which the task was and is due', () => {
  assert.deepEqual(dueAround({ before: task(), after: task({ dueDate: '2026-03-02' }) }), ['2026-03-01', '2026-03-02'])
  assert.deepEqual(dueAround({ before: null, after: task({ dueDate: null }) }), [])
  assert.deepEqual(dueAround({ before: task(), after: null }), ['2026-03-01'])
})

const noticesOf = (before: TaskRecord | null, after: TaskRecord | null, author?: number) =>
  taskNotices(7, { before, after }, author).map(({ template, recipients }) => [template, recipients])

const cases: [what: string, before: TaskRecord | null, after: TaskRecord | null, author: number | undefined, expected: unknown[]][] = [
  ['is assigned', null, task(), CREATOR, [['meeting_task_assigned', [ASSIGNEE]]]],
  ['is created without an assignee', null, task({ assigneeId: null }), CREATOR, []],
  ['is created by its assignee', null, task(), ASSIGNEE, []],
  [
    'is assigned to another person',
    task(),
    task({ assigneeId: 5 }),
    CREATOR,
    [
      ['meeting_task_assigned', [5]],
      ['meeting_task_taken', [ASSIGNEE]],
    ],
  ],
  ['is deleted', task(), null, CREATOR, [['meeting_task_deleted', [ASSIGNEE]]]],
  ['changes', task(), task({ dueDate: null }), CREATOR, [['meeting_task_changed', [ASSIGNEE]]]],
  ['gets a status from its assignee', task(), task({ status: 'done' }), ASSIGNEE, [['meeting_task_moved', [CREATOR]]]],
  ['gets a status from another person', task(), task({ status: 'done' }), 9, [['meeting_task_changed', [ASSIGNEE]]]],
  ['gets another due date from its assignee', task(), task({ dueDate: null }), ASSIGNEE, []],
  [
    'gets a status from an assignee who created it',
    task({ createdBy: ASSIGNEE }),
    task({ createdBy: ASSIGNEE, status: 'done' }),
    ASSIGNEE,
    [],
  ],
  ['gets a status after its creator was deleted', task(), task({ createdBy: null, status: 'done' }), ASSIGNEE, []],
]
for (const [what, before, after, author, expected] of cases)
  test(`a task that ${what} notifies ${expected.length ? 'the people concerned' : 'nobody'}`, () =>
    assert.deepEqual(noticesOf(before, after, author), expected))

type InBoth = Record<'ar' | 'en', Record<string, string>>

test('a notice names the task, its due date and its status in each language', () => {
  const [notice] = taskNotices(7, { before: null, after: task({ status: 'in_progress' }) }, undefined)
  assert.deepEqual([notice!.type, notice!.relatedType, notice!.relatedId], ['meeting', 'meeting_task', 7])
  const { ar, en }: InBoth = notice!.params
  assert.deepEqual([ar['task'], en['task'], ar['status'], en['status']], ['تقرير', 'تقرير', 'قيد التنفيذ', 'in progress'])
  assert.match(en['due']!, /^, due Sunday, 1 March 2026/)
  assert.match(ar['due']!, /^، وموعدها الأحد/)
  const names = (['open', 'done', 'cancelled'] as const).map(
    (status): InBoth => taskNotices(7, { before: null, after: task({ status, dueDate: null, titleEn: 'Report' }) }, 1)[0]!.params,
  )
  assert.deepEqual(
    names.map(({ ar, en }) => [ar['status'], en['status'], ar['due'], en['due'], ar['task'], en['task']]),
    [
      ['مفتوحة', 'open', '', '', 'تقرير', 'Report'],
      ['منجزة', 'done', '', '', 'تقرير', 'Report'],
      ['ملغاة', 'cancelled', '', '', 'تقرير', 'Report'],
    ],
  )
  const [deleted] = taskNotices(7, { before: task({ titleAr: null, titleEn: 'Gone' }), after: null }, 1)
  const gone: InBoth = deleted!.params
  assert.deepEqual([gone.ar['task'], gone.en['task']], ['Gone', 'Gone'])
})
