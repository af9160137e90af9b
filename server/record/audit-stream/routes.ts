import { query } from '../../platform/http/endpoint.ts'
import { readEntries, readState } from './queries.ts'
import { lineOf } from './rules.ts'
import { AuditStream, AuditStreamEntries, EntriesQuery } from './shapes.ts'

const BEHIND_AFTER_S = 60

export const readAuditStream = query('GET /admin/audit-stream', {
  summary: 'Where the audit stream goes, and how far it is',
  description: 'The operator sets it up by `AUDIT_STREAM_URL` and the variables beside it; nobody can change it here.',
  allow: 'admin',
  scope: 'admin:read',
  reply: AuditStream,
  run: async ({ db, config: { auditStream } }) => {
    const found = await readState(db)
    if (!auditStream) return { ...found, kind: null, host: null, state: 'off' as const }
    const state = found.failingSince ? 'failing' : found.lagSeconds >= BEHIND_AFTER_S ? 'behind' : 'working'
    return { ...found, kind: auditStream.kind, host: auditStream.host, state } as const
  },
})

export const readAuditStreamEntries = query('GET /admin/audit-stream/entries', {
  summary: 'The lines of the audit stream, for programs that pull them',
  description:
    'Entries of the audit log, security events of the last 30 days, and the seals of the ledger, in their order. An entry appears about a second after its commit. Keep the last id, and ask for what comes after it.',
  allow: 'admin',
  scope: 'audit:read',
  query: EntriesQuery,
  reply: AuditStreamEntries,
  run: async ({ db, query: { after, limit } }) => {
    const found = await readEntries(db, after!, limit! + 1)
    const entries = found.slice(0, limit).map(lineOf)
    return { entries, nextAfter: found.length > entries.length ? entries.at(-1)!.id : null }
  },
})
