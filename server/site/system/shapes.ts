import { Type } from 'typebox'
import { Count, Named, Nullable, OneOf, Shape, Timestamp } from '../../platform/http/shape.ts'
import { AuditStreamState, Lag } from '../../record/audit-stream/shapes.ts'

export const HealthStatus = Named('HealthStatus', Shape({ status: Type.String() }), { status: 'ok' })
/** Further fields of the refusal of an unhealthy portal. */
export const UnhealthyStatus = Named('Unhealthy', Shape({ status: OneOf(['unavailable']) }))

const VersionInfo = Named('SystemVersionInfo', Shape({ version: Type.String(), build: Type.String() }), {
  version: '0.1.0',
  build: 'source',
})

export const SystemVersion = Named(
  'SystemVersionResponse',
  Shape({
    current: VersionInfo,
    latest: Nullable(VersionInfo),
    status: OneOf(['up-to-date', 'update-available', 'not-configured', 'error']),
    errorMessage: Nullable(Type.String()),
    checkedAt: Nullable(Timestamp),
    configured: Type.Boolean(),
  }),
)

const Seconds = Type.Number({ minimum: 0, examples: [4.2] })
const figures = { due: Count, oldestSeconds: Seconds, givenUp: Count, pushesWaiting: Count, streams: Count, unsealedSeconds: Seconds }
const SecondsAhead = Type.Number({ examples: [0.2], description: 'How many seconds the portal’s clock is ahead of the database’s' })
const Milliseconds = Type.Number({ minimum: 0, examples: [0.8], description: 'How long the database took for an empty query' })

export const PortalHealth = Named(
  'PortalHealth',
  Shape({
    startedAt: Timestamp,
    version: VersionInfo,
    database: Shape({ ok: Type.Boolean(), ms: Milliseconds, size: Type.Integer({ minimum: 0, description: 'Bytes' }) }),
    queue: Shape({
      due: Type.Integer({ minimum: 0, description: 'Jobs that are due and waiting' }),
      oldestSeconds: Type.Number({ ...Seconds, description: 'How long the oldest of them has been due' }),
      givenUp: Type.Array(
        Named('GivenUpJob', Shape({ id: Count, task: Type.String(), error: Nullable(Type.String()), attempts: Count }), {
          id: 812,
          task: 'send_push',
          error: 'the push service push.example.org answered 503',
          attempts: 25,
        }),
        { description: 'Jobs whose last attempt has failed, the first 50; `POST /admin/jobs/{id}/retry` retries one' },
      ),
    }),
    pushes: Shape({ waiting: Count, configured: Type.Boolean() }),
    streams: Type.Integer({ minimum: 0, description: 'Open event streams, of all instances' }),
    ledger: Shape({
      rows: Count,
      unsealedSeconds: Type.Number({
        ...Seconds,
        description: 'The age of the oldest row that no seal covers; 0 if there is none',
      }),
      valid: Nullable(
        Type.Boolean({
          description: 'Whether the newest seals fit; null before the first. `GET /admin/audit-logs/verify` compares all of them.',
        }),
      ),
    }),
    auditStream: Shape({ state: AuditStreamState, lagSeconds: Lag }),
    storage: Shape({
      used: Type.Integer({ minimum: 0, description: 'Bytes of all stored objects' }),
      free: Nullable(Type.Integer({ description: 'Free space in bytes; null if objects are in a bucket' })),
    }),
    mail: Shape({ configured: Type.Boolean() }),
    secrets: Shape({ configured: Type.Boolean({ description: 'Whether there is a key for secrets, `SECRETS_KEY`' }) }),
    clock: Shape({ aheadSeconds: SecondsAhead }),
    last24h: Type.Array(Named('HealthSample', Shape({ at: Timestamp, databaseMs: Milliseconds, ...figures })), {
      description: 'Samples of the state, every ten minutes, oldest first; a gap means that the portal or its jobs did not run',
    }),
  }),
)
