import { checkUserExists } from '../../people/users/queries.ts'
import { DependentsQuery } from '../../people/users/shapes.ts'
import { query } from '../../platform/http/endpoint.ts'
import { IdParams } from '../../platform/http/shape.ts'
import { pageOrdersOf } from './pages.ts'
import { UserDependentOrdersPage } from './shapes.ts'

export const readUserOrders = query('GET /users/:id/dependents/orders', {
  summary: 'The orders a person placed, newest first',
  description:
    'Without those for somebody else, which go to that person. While there are any, a deletion without `force` is refused; `totalCount` is their number in that refusal.',
  allow: 'admin',
  scope: 'admin:read',
  params: IdParams,
  query: DependentsQuery,
  reply: UserDependentOrdersPage,
  refuses: ['not_found'],
  run: async ({ db, params: { id }, query }) => {
    await checkUserExists(db, id)
    return pageOrdersOf(db, id, query)
  },
})
