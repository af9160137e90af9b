import { Type } from 'typebox'
import { query } from '../platform/http/endpoint.ts'
import { Shape } from '../platform/http/shape.ts'
import { refuse } from '../platform/refusal.ts'
import { checkVersion } from './feed.ts'
import { SystemVersion } from './shapes.ts'

export const readHealth = query('GET /healthz', {
  summary: 'Whether the portal and its database answer',
  allow: 'anyone',
  reply: Shape({ status: Type.String() }),
  run: async ({ isReady }) =>
    (await isReady()) ? { status: 'ok' } : refuse('unavailable', { retryAfter: 1, body: { status: 'unavailable' } }),
})

export const readVersion = query('GET /system/version', {
  summary: 'The running version, and whether a newer one is available',
  allow: 'admin',
  reply: SystemVersion,
  run: ({ outbound, config }) => checkVersion(outbound, config.versionFeedUrl),
})
