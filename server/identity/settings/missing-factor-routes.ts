import { query } from '../../platform/http/endpoint.ts'
import { idsIn } from '../../users/rules.ts'
import { pageWithoutFactor } from './missing-factor-queries.ts'
import { WithoutFactorPage, WithoutFactorQuery } from './missing-factor-shapes.ts'

export const listLacking = query('GET /admin/sign-in/without-factor', {
  summary: 'Whom a second factor for some roles would lock out, and when',
  description: 'Active holders of one of the roles who have no second factor, soonest first. A duty that has not begun would begin now.',
  allow: 'admin',
  scope: 'admin:read',
  query: WithoutFactorQuery,
  reply: WithoutFactorPage,
  run: ({ db, actor, query: { roleIds, ...query } }) => pageWithoutFactor(db, { roleIds: idsIn(roleIds), ...query }, actor.language),
})
