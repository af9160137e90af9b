import '../../testing/outside.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { go, path, queryValue, startRouting } from '../../platform/router.ts'
import { addressDialog } from './address-dialog.ts'

startRouting()
const where = () => [path.peek(), queryValue('new')]

test('closing a dialog goes back only if the current step is the one that opened it', () => {
  const dialog = addressDialog('new')
  go('/admin/users')
  dialog.open(1)
  assert.deepEqual(where(), ['/admin/users', '1'])
  dialog.close()
  assert.deepEqual(where(), ['/admin/users', ''])
  // The dialog is opened, left by going back, and then opened by a link on another page.
  dialog.open(1)
  history.back()
  go('/admin/groups')
  go('/admin/users?new=2')
  dialog.close()
  assert.deepEqual(where(), ['/admin/users', ''])
})

test('closing a dialog after the person has gone to another page leaves them there', () => {
  const dialog = addressDialog('new')
  go('/admin/users')
  dialog.open(1)
  go('/notes')
  dialog.close()
  assert.deepEqual(where(), ['/notes', ''])
})
