import { query } from '../../platform/http/endpoint.ts'
import { IdParams } from '../../platform/http/shape.ts'
import { readDetails } from './details.ts'
import { readOrder } from './queries.ts'
import { OrderDetails } from './shapes.ts'

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
  run: async ({ db, actor, params }) => readDetails(db, (await readOrder(db, params.id, actor)).id),
})
