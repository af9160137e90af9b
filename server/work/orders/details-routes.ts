import { query } from '../../platform/http/endpoint.ts'
import { pageTeamOrders } from './details.ts'
import { DetailsFilter, OrderDetailsPage } from './shapes.ts'

export const readOrderDetails = query('GET /orders/details', {
  summary: 'The orders of the caller’s teams, with the team of each; oldest first',
  description:
    'For the receivers and the leads of a team. `teamId` and `status` choose among them; a team that is not one of theirs has none here.',
  allow: 'signed-in',
  scope: 'orders:read',
  query: DetailsFilter,
  reply: OrderDetailsPage,
  run: ({ db, actor, query }) => pageTeamOrders(db, actor, query),
})
