import assert from 'node:assert/strict'
import { test } from 'node:test'
import { templates } from '../../../server/lists/notices/notices.ts'
import { tellsOfEnd } from './tells-of-end.ts'

test('a notice about the end of one’s own membership or role is told apart from a notice to administrators about a group', () => {
  for (const name of ['membership_ends_soon', 'role_ends_soon', 'membership_ended', 'role_ended'] as const)
    assert.equal(tellsOfEnd(templates[name]), true, name)
  for (const name of ['admins_moved', 'last_admin_kept'] as const) assert.equal(tellsOfEnd(templates[name]), false, name)
})
