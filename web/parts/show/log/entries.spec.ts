import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differencesOf, type Entry, nameThen, otherOf, restOf, revertedBy, subjectOf } from './entries.ts'

const entry = (action: string, metadata: Record<string, unknown> | null, targetId = 7): Entry => ({
  id: 1,
  action,
  targetType: action.split('.')[0]!,
  targetId,
  metadata,
  createdAt: '2030-01-01T00:00:00.000Z',
  actor: null,
  revertOf: null,
  refs: {},
})

test('a record gets its name from the entry, or has only its id if the entry contains no name', () => {
  assert.deepEqual(subjectOf(entry('app.create', { slug: 'a', nameAr: 'أ', nameEn: 'A' })).name, { ar: 'أ', en: 'A' })
  assert.deepEqual(
    subjectOf(entry('meeting.update', { before: { titleAr: 'أ', titleEn: null }, after: { titleAr: 'ب', titleEn: null } })).name,
    {
      ar: 'ب',
      en: 'ب',
    },
  )
  assert.deepEqual(subjectOf(entry('group.update', { changed: {} })), { type: 'group', id: 7 })
  assert.equal(subjectOf(entry('role.delete', { name: 'x' })).isGone, true)
})

test('a change of members by a source shows the people added and removed', () => {
  const moved = entry('group.update', { added: [4], removed: [9] })
  assert.deepEqual(differencesOf(moved), [{ field: 'userIds', of: 'user', added: [4], removed: [9] }])
  assert.deepEqual(restOf(moved), [])
})

test('a second record is named only if the action is about two records', () => {
  assert.deepEqual(otherOf(entry('group.member.add', { appId: 24 })), { type: 'app', id: 24 })
  assert.deepEqual(otherOf(entry('user.role.remove', { roleId: 3, roleName: 'x' })), { type: 'role', id: 3, name: { ar: 'x', en: 'x' } })
  assert.equal(otherOf(entry('user.create', { roleIds: [3] })), undefined)
})

test('the fields that a revert changes do not include those that only a source writes', () => {
  const changed = { isActive: { from: true, to: false }, source: { from: 'entra', to: null }, externalId: { from: 'a', to: 'b' } }
  assert.deepEqual(revertedBy(entry('user.update', { changed })), [{ field: 'isActive', from: true, to: false }])
})

test('a changed set shows the ids that joined and left, and any other field shows both values', () => {
  const changed = { isActive: { from: true, to: false }, groupIds: { from: [4], to: [] }, roleIds: { from: [1, 2], to: [2, 3] } }
  assert.deepEqual(differencesOf(entry('user.update', { changed })), [
    { field: 'isActive', from: true, to: false },
    { field: 'groupIds', of: 'group', added: [], removed: [4] },
    { field: 'roleIds', of: 'role', added: [3], removed: [1] },
  ])
  assert.deepEqual(differencesOf(entry('role.permissions.replace', { addedPermissionIds: [5], removedPermissionIds: [] })), [
    { field: 'permissionIds', of: 'permission', added: [5], removed: [] },
  ])
})

test('an entry with the record before and after shows only the fields that differ', () => {
  const [before, after] = [
    { id: 1, date: '2030-01-01', notes: null, updatedAt: 'x' },
    { id: 1, date: '2030-01-02', notes: null, updatedAt: 'y' },
  ]
  assert.deepEqual(differencesOf(entry('meeting.update', { before, after })), [{ field: 'date', from: '2030-01-01', to: '2030-01-02' }])
})

test('facts that neither the sentence nor the differences use are left for the details', () => {
  assert.deepEqual(restOf(entry('user.create', { username: 'x', email: 'x@example.org' })), [['email', 'x@example.org']])
  assert.deepEqual(restOf(entry('group.member.add', { appId: 24 })), [])
})

test('a record has the name it had at the time of the entry; a role is called by its description', () => {
  const refs = {
    roles: { 3: { name: 'finance', descriptionAr: 'مالية\nتفتح الميزانية', descriptionEn: null } },
    users: { 9: { username: 'dana', displayNameAr: 'دانة', displayNameEn: 'Dana' } },
  }
  const one = { ...entry('user.update', { changed: {} }, 9), refs }
  assert.deepEqual(nameThen(one, subjectOf(one)), { ar: 'دانة', en: 'Dana' })
  assert.deepEqual(nameThen(one, { type: 'role', id: 3, name: { ar: 'finance', en: 'finance' } }), { ar: 'مالية', en: 'مالية' })
  assert.equal(nameThen(one, { type: 'group', id: 3 }), undefined)
})

test('a request is named by the title of its meeting, or for a new meeting by the proposed title', () => {
  const refs = { meetings: { 4: { titleAr: null, titleEn: 'Budget' } } }
  const details = { titleAr: 'غداء', titleEn: 'Lunch' }
  const change = { ...entry('meeting_request.approve', { before: { meetingId: 4, details }, after: { meetingId: 4, details } }), refs }
  assert.deepEqual(subjectOf(change).name, { ar: 'Budget', en: 'Budget' })
  assert.deepEqual(subjectOf(entry('meeting_request.create', { after: { meetingId: null, details } })).name, { ar: 'غداء', en: 'Lunch' })
})
