/** The pages offer to put back what the portal can revert. */
import '../../testing/document.ts'
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRevertible as mayRevert } from '../../../server/record/history/rules.ts'
import { both } from '../../parts/log/sentences.ts'
import { isRevertible } from './revertible.ts'

test('every entry that the pages offer to put back can be reverted, and no other but a new order of meetings', () => {
  const differing = Object.keys(both.ar).filter((action) => isRevertible(action) !== mayRevert(action))
  assert.deepEqual(differing, ['meeting.reorder'])
})
