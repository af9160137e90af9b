import { query } from '../../platform/http/endpoint.ts'
import { IdParams } from '../../platform/http/shape.ts'
import { pageGroupsOf, pageOpensOf, pageRestrictionsOf } from './dependents.ts'
import { AppDependentGroupsPage, AppDependentOpensPage, AppDependentRestrictionsPage, DependentsQuery } from './shapes.ts'

export const readAppGroups = query('GET /apps/:id/dependents/groups', {
  summary: 'The groups an app is granted to',
  description: 'While there are any, a deletion without `force` is refused; `totalCount` is their number in that refusal.',
  allow: 'admin',
  scope: 'admin:read',
  params: IdParams,
  query: DependentsQuery,
  reply: AppDependentGroupsPage,
  refuses: ['not_found'],
  run: ({ db, actor, params: { id }, query }) => pageGroupsOf(db, id, query, actor.language),
})

export const readAppRestrictions = query('GET /apps/:id/dependents/restrictions', {
  summary: 'The permissions an app requires, and the roles that hold them',
  description: 'While there are any, a deletion without `force` is refused; `totalCount` is their number in that refusal.',
  allow: 'admin',
  scope: 'admin:read',
  params: IdParams,
  query: DependentsQuery,
  reply: AppDependentRestrictionsPage,
  refuses: ['not_found'],
  run: ({ db, actor, params: { id }, query }) => pageRestrictionsOf(db, id, query, actor.language),
})

export const readAppOpens = query('GET /apps/:id/dependents/opens', {
  summary: 'Who opened an app and when, newest first',
  description: 'While there are any, a deletion without `force` is refused; `totalCount` is their number in that refusal.',
  allow: 'admin',
  scope: 'admin:read',
  params: IdParams,
  query: DependentsQuery,
  reply: AppDependentOpensPage,
  refuses: ['not_found'],
  run: ({ db, params: { id }, query }) => pageOpensOf(db, id, query),
})
