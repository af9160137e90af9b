import { query } from '../../platform/http/endpoint.ts'
import { IdParams } from '../../platform/http/shape.ts'
import { pageOrderDetails } from './detail-pages.ts'
import { readOneDetails } from './details.ts'
import { DetailsFilter, OrderDetails, OrderDetailsPage } from './shapes.ts'

export const readOrderDetails = query('GET /orders/:id/details', {
  summary: 'What an order has beyond itself: its team, its answers, its times, and what the caller may do',
  description:
    'For its requester, the receivers and leads of its team, and administrators; for anyone else, it is not found. `fields` are those of the version with which it was placed.',
  allow: 'signed-in',
  scope: 'orders:read',
  record: OrderDetails,
  params: IdParams,
  reply: OrderDetails,
  refuses: ['not_found'],
  run: ({ db, actor, params }) => readOneDetails(db, params.id, actor),
})

export const readOrdersWithDetails = query('GET /orders/details', {
  summary: 'Orders with what each has beyond itself: one’s own, those of one’s teams, those that one receives, or all',
  description:
    '`q` ignores case, diacritics and letter variants. Days are whole UTC days. `counts` has the number of open orders in each state that match all filters but `state`.',
  allow: 'signed-in',
  scope: 'orders:read',
  query: DetailsFilter,
  reply: OrderDetailsPage,
  refuses: ['forbidden'],
  run: ({ db, actor, query }) => pageOrderDetails(db, actor, query),
})
