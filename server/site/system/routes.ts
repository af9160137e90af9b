import { changed, unchanged } from '../../platform/changes/outcome.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { command, query } from '../../platform/http/endpoint.ts'
import { IdParams, Nothing } from '../../platform/http/shape.ts'
import { readStream } from '../../record/audit-stream/queries.ts'
import { checkVersion, current } from './feed.ts'
import {
  isQueued,
  listGivenUp,
  listSamples,
  lockGivenUp,
  readClock,
  readDatabaseSize,
  readFigures,
  readLedger,
  readStoredBytes,
  tryAgain,
} from './queries.ts'
import { HealthStatus, PortalHealth, SystemVersion, UnhealthyStatus } from './shapes.ts'

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
  description: 'The newest version is read from the operator’s feed, and cached for 10 minutes.',
  allow: 'admin',
  scope: 'admin:read',
  reply: SystemVersion,
  run: ({ outbound, config }) => checkVersion(outbound, config.versionFeedUrl),
})

const startedAt = new Date(performance.timeOrigin)

export const readPortalHealth = query('GET /admin/health', {
  summary:
    'The state of the portal: database, queue, pushes, streams, ledger, audit stream, storage, mail and clock, now and over the last 24 hours',
  description: 'With several worker processes, `startedAt` belongs to the one that answers.',
  allow: 'admin',
  scope: 'admin:read',
  reply: PortalHealth,
  run: async ({ db, config, objects, secrets, isReady }) => {
    const { databaseMs, due, oldestSeconds, pushesWaiting, streams, unsealedSeconds } = await readFigures(db)
    const { state, lagSeconds } = await readStream(db, config.auditStream !== undefined)
    return {
      startedAt,
      version: current,
      database: { ok: await isReady(), ms: databaseMs, size: await readDatabaseSize(db) },
      queue: { due, oldestSeconds, givenUp: await listGivenUp(db) },
      pushes: { waiting: pushesWaiting, configured: config.vapid !== undefined },
      streams,
      ledger: { unsealedSeconds, ...(await readLedger(db)) },
      auditStream: { state, lagSeconds },
      storage: { used: await readStoredBytes(db), free: await objects.room().catch(() => null) },
      mail: { configured: config.smtpUrl !== undefined },
      secrets: { configured: secrets.isConfigured },
      clock: { aheadSeconds: await readClock(db) },
      last24h: await listSamples(db),
    }
  },
})

export const retryJob = command('POST /admin/jobs/:id/retry', {
  summary: 'Retry a job that has failed for good, with a full number of attempts',
  description: 'A job that still has attempts left is not changed.',
  allow: 'admin',
  scope: 'admin:write',
  params: IdParams,
  reply: Nothing,
  status: 204,
  refuses: ['not_found'],
  run: async ({ tx, params: { id } }) => {
    const job = await lockGivenUp(tx, id)
    if (!job) return (await isQueued(tx, id)) ? unchanged(null) : refuse('not_found')
    await tryAgain(tx, id)
    return changed(null, { kind: 'job.retried', targetId: id, facts: { task: job.task, attempts: job.attempts } })
  },
})
