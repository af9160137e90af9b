import { query } from '../../platform/http/endpoint.ts'
import { idsIn } from '../../users/rules.ts'
import { pageLacking } from './missing-factor-queries.ts'
import { LackingPage, LackingQuery } from './missing-factor-shapes.ts'

export const listLacking = query('GET /admin/sign-in/without-factor', {
  summary: 'Whom a second factor for some roles would lock out, and when',
  description: 'Active holders of one of the roles who have no second factor, soonest first. A duty that has not begun would begin now.',
  allow: 'admin',
  scope: 'admin:read',
  query: LackingQuery,
  reply: LackingPage,
  run: ({ db, actor, query: { roleIds, ...query } }) => pageLacking(db, { roleIds: idsIn(roleIds), ...query }, actor.language),
})
