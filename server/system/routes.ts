import { query } from '../platform/http/endpoint.ts'
import { refuse } from '../platform/refusal.ts'
import { checkVersion } from './feed.ts'
import { HealthStatus, SystemVersion, UnhealthyStatus } from './shapes.ts'

export const readHealth = query('GET /healthz', {
  summary: 'Whether the portal and its database answer',
  description: '503 while the database does not answer or the portal is stopping.',
  allow: 'anyone',
  reply: HealthStatus,
  refuses: [{ code: 'unavailable', body: UnhealthyStatus }],
  run: async ({ isReady }) =>
    (await isReady()) ? { status: 'ok' } : refuse('unavailable', { retryAfter: 1, body: { status: 'unavailable' } }),
})

export const readVersion = query('GET /system/version', {
  summary: 'The running version, and whether a newer one is available',
  description: 'The newest version is read from the address the operator has set, and kept for 10 minutes.',
  allow: 'admin',
  reply: SystemVersion,
  run: ({ outbound, config }) => checkVersion(outbound, config.versionFeedUrl),
})
