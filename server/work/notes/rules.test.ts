import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askable, colors, isShared, moves, nameOf, noteNotice, paramsFor, statusAfter, statuses } from './rules.ts'

test('the constants of notes match the contract', () => {
  assert.deepEqual(colors, ['default', 'yellow', 'green', 'blue', 'pink', 'purple', 'orange', 'gray'])
  assert.deepEqual(statuses, ['unread', 'read', 'replied', 'archived'])
  assert.deepEqual(askable, ['read', 'unread', 'archived'])
})

test('recipients see only the title, the content and the color of a note', () => {
  for (const field of ['title', 'content', 'color']) assert.equal(isShared(['isPinned', field]), true, field)
  assert.equal(isShared(['isPinned', 'isArchived', 'folderId', 'labelIds']), false)
  assert.equal(isShared([]), false)
})

test('the new status of a note for its recipient follows from its status and the request', () => {
  assert.deepEqual(moves, {
    unread: { read: 'read', unread: 'unread', archived: 'archived' },
    read: { read: 'read', unread: 'unread', archived: 'archived' },
    replied: { read: 'replied', unread: 'unread', archived: 'archived' },
  })
  for (const [status, becomes] of Object.entries(moves))
    for (const asked of askable)
      assert.equal(statusAfter({ status: status as keyof typeof moves, statusBefore: 'replied' }, asked), becomes[asked])
})

test('an archived note returns to its former status if `read` or `unread` is requested, and stays archived if `archived` is', () => {
  for (const statusBefore of ['unread', 'read', 'replied'] as const) {
    const archived = { status: 'archived', statusBefore } as const
    assert.deepEqual(
      askable.map((asked) => statusAfter(archived, asked)),
      [statusBefore, statusBefore, 'archived'],
    )
  }
})

test('a note is named by its title, else by its first eighty characters', () => {
  assert.equal(nameOf({ title: 'Budget', content: 'x' }), 'Budget')
  assert.equal(nameOf({ title: '', content: 'one\n\n two\tthree' }), 'one two three')
  assert.equal(nameOf({ title: '', content: '😀'.repeat(81) }), '😀'.repeat(80))
})

test('a notification names the note and the person in each language', () => {
  const person = { username: 'huda', displayNameAr: 'هدى', displayNameEn: null }
  const params = paramsFor({ title: 'Budget', content: '' }, person)
  assert.deepEqual(params, { ar: { note: 'Budget', person: 'هدى' }, en: { note: 'Budget', person: 'هدى' } })
  assert.deepEqual(paramsFor({ title: 'B', content: '' }, { ...person, displayNameEn: 'Huda' }).en, { note: 'B', person: 'Huda' })
  assert.deepEqual(noteNotice(7, 'note_received', [1, 2], params), {
    recipients: [1, 2],
    type: 'note',
    template: 'note_received',
    params,
    relatedType: 'note',
    relatedId: 7,
  })
})
