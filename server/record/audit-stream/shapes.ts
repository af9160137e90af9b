import { type Static, Type } from 'typebox'
import { Count, FreeObject, Id, Named, Nullable, OneOf, Shape, Timestamp } from '../../platform/http/shape.ts'
import { lastErrors } from '../webhooks/rules.ts'

const Place = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const states = ['off', 'working', 'behind', 'failing'] as const
export const AuditStreamState = OneOf(states, {
  description:
    '`failing`: the last try failed. `behind`: the oldest entry that was not sent is 60 seconds old or more. `off`: no collector is set.',
})
export const Lag = Type.Unsafe<number>({ ...Count, description: 'How long the oldest entry that was not sent has waited, in seconds.' })

export const AuditStream = Named(
  'AuditStream',
  Shape({
    kind: Type.Unsafe<'https' | 'syslog' | null>({
      ...Nullable(OneOf(['https', 'syslog'])),
      description: 'Null if the operator has set no `AUDIT_STREAM_URL`.',
    }),
    host: Nullable(Type.String()),
    state: AuditStreamState,
    place: Type.Unsafe<number>({ ...Place, description: 'The id of the last entry that the collector has acknowledged.' }),
    behind: Type.Unsafe<number>({
      ...Count,
      description: 'Entries that were not sent; of those that an open transaction holds back, 10,000 are counted.',
    }),
    lagSeconds: Lag,
    lastError: Type.Unsafe<(typeof lastErrors)[number] | null>({
      ...Nullable(OneOf(lastErrors)),
      description: 'Why the last try failed; null after a success.',
    }),
    lastStatus: Nullable(Type.Integer({ minimum: 100, maximum: 999 })),
    failingSince: Nullable(Timestamp),
    sentAt: Nullable(Timestamp),
  }),
  {
    ...{ kind: 'https', host: 'collector.example.org', state: 'working', place: 48_211, behind: 0, lagSeconds: 0 },
    ...{ lastError: null, lastStatus: null, failingSince: null, sentAt: '2026-03-01T08:30:00.000Z' },
  },
)

const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' })
const Optional = Type.Optional
export const AuditStreamLine = Named(
  'AuditStreamLine',
  Shape({
    id: Type.Unsafe<number>({
      ...Place,
      description: 'The place in the stream. It grows, and no entry ever appears behind one that was sent.',
    }),
    at: Type.String({ format: 'date-time', description: 'When it happened, in microseconds.' }),
    source: OneOf(['ledger', 'security', 'seal'], { description: 'The audit log, the security log, or the seals of the ledger.' }),
    action: Optional(Type.String({ description: 'Of an entry of the audit log.' })),
    event: Optional(Type.String({ description: 'Of anything else.' })),
    actor: Nullable(Shape({ id: Id, username: Nullable(Type.String()) })),
    targetType: Nullable(Type.String()),
    targetId: Nullable(Type.Integer()),
    ip: Optional(Type.String()),
    facts: FreeObject({ maxBytes: 1024 ** 2, description: 'Of executive meetings only ids and dates.' }),
    cut: Optional(Type.Array(Type.String(), { description: 'Facts that were left out because the line would be too long.' })),
    sequence: Optional(Type.Unsafe<number>({ ...Place, description: 'The id of the ledger’s row.' })),
    kind: Optional(Type.String({ description: 'The kind of change.' })),
    rowHash: Optional(Type.Unsafe<string>({ ...Hash, description: 'The hash of the ledger’s row, which enters its seal.' })),
    hash: Optional(Type.Unsafe<string>({ ...Hash, description: 'The hash of a seal.' })),
    lastId: Optional(Type.Unsafe<number>({ ...Place, description: 'The last row of the ledger that a seal covers.' })),
  }),
  {
    ...{ id: 48_211, at: '2026-03-01T08:30:00.123456Z', source: 'ledger', action: 'user.update', targetType: 'user', targetId: 7 },
    ...{ actor: { id: 1, username: 'admin' }, facts: { username: 'sara', changed: { isActive: { from: true, to: false } } } },
    ...{ sequence: 98_004, kind: 'user.updated', rowHash: '5f'.repeat(32) },
  },
)
export type AuditStreamLine = Static<typeof AuditStreamLine>

export const EntriesQuery = Shape({
  after: Optional(
    Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0, description: 'The id of the last entry you have.' }),
  ),
  limit: Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100 })),
})
export const AuditStreamEntries = Named(
  'AuditStreamEntries',
  Shape({
    entries: Type.Array(AuditStreamLine),
    nextAfter: Type.Unsafe<number | null>({
      ...Nullable(Place),
      description: 'Where to go on at once; null if these are the last for now.',
    }),
  }),
  { nextAfter: null },
)

export const auditStreamEvents = {
  audit_stream_changed: Shape(
    {},
    { description: 'To administrators, when sending to the collector begins or ceases to fail, and from time to time while lines go out.' },
  ),
}
