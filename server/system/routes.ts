import { Type } from 'typebox'
import { query } from '../platform/endpoint.ts'
import { refuse } from '../platform/refusal.ts'
import { Shape } from '../platform/shape.ts'

export const readHealth = query('GET /healthz', {
  summary: 'Whether the portal and its database answer',
  allow: 'anyone',
  reply: Shape({ status: Type.String() }),
  run: async ({ isReady }) =>
    (await isReady()) ? { status: 'ok' } : refuse('unavailable', { retryAfter: 1, body: { status: 'unavailable' } }),
})
