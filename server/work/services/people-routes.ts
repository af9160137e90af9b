import { Type } from 'typebox'
import { PersonSummary } from '../../people/users/shapes.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { query } from '../../platform/http/endpoint.ts'
import { IdParams, Line, Shape } from '../../platform/http/shape.ts'
import { findOrdering, listBeneficiaries } from '../service-handlings/queries.ts'

export const readBeneficiaries = query('GET /services/:id/people', {
  summary: 'The people for whom the caller can order a service, by name',
  description:
    'The active people in its audience, without the caller. For those who may order it for others. `q` ignores case, diacritics and letter variants.',
  allow: 'signed-in',
  scope: 'orders:write',
  params: IdParams,
  query: Shape({
    q: Type.Optional(Line({ max: 200, description: 'Part of the username or of a display name' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 20 })),
  }),
  reply: Type.Array(PersonSummary),
  refuses: ['not_found', 'forbidden'],
  run: async ({ db, actor, params: { id }, query }) => {
    const { isKnown, mayOrderForOthers } = await findOrdering(db, id, actor)
    if (!isKnown) refuse('not_found')
    if (!mayOrderForOthers) refuse('forbidden')
    return listBeneficiaries(db, id, query, actor)
  },
})
