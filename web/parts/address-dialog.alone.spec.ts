import '../testing/outside.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { go, path, queryValue, startRouting } from '../platform/router.ts'
import { addressDialog } from './address-dialog.ts'

startRouting()
const where = () => [path.peek(), queryValue('new')]

test('closing a dialog goes back over the step that opened it, and over no other', () => {
  const dialog = addressDialog('new')
  go('/admin/users')
  dialog.open(1)
  assert.deepEqual(where(), ['/admin/users', '1'])
  dialog.close()
  assert.deepEqual(where(), ['/admin/users', ''])
  // Opened, left by going back, and opened by a link from elsewhere.
  dialog.open(1)
  history.back()
  go('/admin/groups')
  go('/admin/users?new=2')
  dialog.close()
  assert.deepEqual(where(), ['/admin/users', ''])
})

test('the answer of a dialog that the person has left takes them nowhere', () => {
  const dialog = addressDialog('new')
  go('/admin/users')
  dialog.open(1)
  go('/notes')
  dialog.close()
  assert.deepEqual(where(), ['/notes', ''])
})
