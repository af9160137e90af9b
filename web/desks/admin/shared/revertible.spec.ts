/** The entries for which the pages offer a revert, compared with those that the portal can revert. */
import '../../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRevertible as mayRevert } from '../../../../server/record/history/rules.ts'
import { both } from '../../../parts/show/log/sentences.ts'
import { isRevertible } from './revertible.ts'

test('the pages offer to revert exactly the entries that the portal can revert, except a new order of meetings', () => {
  const differing = Object.keys(both.ar).filter((action) => isRevertible(action) !== mayRevert(action))
  assert.deepEqual(differing, ['meeting.reorder'])
})
