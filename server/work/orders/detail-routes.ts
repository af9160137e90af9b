import { query } from '../../platform/http/endpoint.ts'
import { IdParams } from '../../platform/http/shape.ts'
import { pageTeamOrders } from './detail-pages.ts'
import { readDetailsOf } from './details.ts'
import { readOrder } from './queries.ts'
import { DetailsFilter, OrderDetails, OrderDetailsPage } from './shapes.ts'

export const readOrderDetails = query('GET /orders/:id/details', {
  summary: 'What an order has beyond itself: its team, and the answers with which it was placed',
  description:
    'For its requester, the receivers and leads of its team, and administrators; for anyone else, it is not found. `fields` are those of the version with which it was placed.',
  allow: 'signed-in',
  scope: 'orders:read',
  record: OrderDetails,
  params: IdParams,
  reply: OrderDetails,
  refuses: ['not_found'],
  run: async ({ db, actor, params }) => {
    const { id } = await readOrder(db, params.id, actor)
    return (await readDetailsOf(db, [id])).get(id)!
  },
})

export const readTeamOrders = query('GET /orders/details', {
  summary: 'The orders of the caller’s teams, with what each has beyond itself; oldest first',
  description:
    'For the receivers and the leads of a team. `teamId` and `status` choose among them; a team that is not one of theirs has none here.',
  allow: 'signed-in',
  scope: 'orders:read',
  query: DetailsFilter,
  reply: OrderDetailsPage,
  run: ({ db, actor, query }) => pageTeamOrders(db, actor, query),
})
