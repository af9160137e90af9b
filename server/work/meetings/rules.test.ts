import assert from 'node:assert/strict'
import { test } from 'node:test'
import { APPROVE, AUDIT, EXECUTIVE, executiveRoles, MUTATE, REQUEST } from './rules.ts'

test('there are six executive roles, and the module’s permissions count only together with one of them', () => {
  const roles = 'admin executive_ceo executive_office_manager executive_coord_lead executive_coordinator executive_viewer'.split(' ')
  assert.deepEqual(executiveRoles, roles)
  assert.deepEqual(EXECUTIVE, { name: 'executive', roles })
  assert.deepEqual(
    [MUTATE, APPROVE, REQUEST, AUDIT],
    ['mutate', 'approve', 'request', 'audit'].map((word) => {
      const permission = `executive_meetings.${word}`
      return { name: permission, roles, permission }
    }),
  )
})
