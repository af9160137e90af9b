import { checkGroupExists } from '../../people/groups/queries.ts'
import { DependentsQuery } from '../../people/users/shapes.ts'
import { query } from '../../platform/http/endpoint.ts'
import { IdParams } from '../../platform/http/shape.ts'
import { pageNaming } from './dependents.ts'
import { GroupDependentServicesPage } from './handling-shapes.ts'

export const readGroupServices = query('GET /groups/:id/dependents/services', {
  summary: 'The teams and the services that name a group, by name',
  description:
    'Once for each list that names it: the groups of a team, and of a service those who may order it, who may order it for others, and who approve. A deletion of the group takes it out of them, and is not refused for them.',
  allow: 'admin',
  scope: 'admin:read',
  params: IdParams,
  query: DependentsQuery,
  reply: GroupDependentServicesPage,
  refuses: ['not_found'],
  run: async ({ db, actor, params: { id }, query }) => {
    await checkGroupExists(db, id)
    return pageNaming(db, id, query, actor.language)
  },
})
