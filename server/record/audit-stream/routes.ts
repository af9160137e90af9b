import { query } from '../../platform/http/endpoint.ts'
import { readEntries, readStream } from './queries.ts'
import { portionOf, textOf } from './rules.ts'
import { AuditStream, AuditStreamEntries, type AuditStreamLine, EntriesQuery } from './shapes.ts'

export const readAuditStream = query('GET /admin/audit-stream', {
  summary: 'Where the audit stream goes, and how far it is',
  description: 'The operator sets it up by `AUDIT_STREAM_URL` and the variables beside it; nobody can change it here.',
  allow: 'admin',
  scope: 'admin:read',
  reply: AuditStream,
  run: async ({ db, config: { auditStream } }) => ({
    ...(await readStream(db, auditStream !== undefined)),
    kind: auditStream?.kind ?? null,
    host: auditStream?.host ?? null,
  }),
})

export const readAuditStreamEntries = query('GET /admin/audit-stream/entries', {
  summary: 'The lines of the audit stream, for programs that pull them',
  description:
    'Entries of the audit log, security events of the last 30 days, and the seals of the ledger, in their order: at most 500, and about a mebibyte. An entry appears about a second after its commit. Keep the last id, and ask for what comes after it.',
  allow: 'admin',
  scope: 'audit:read',
  query: EntriesQuery,
  reply: AuditStreamEntries,
  run: async ({ db, query: { after, limit } }) => {
    const found = await readEntries(db, after!, limit! + 1)
    const entries = portionOf(found.slice(0, limit), textOf).map((text): AuditStreamLine => JSON.parse(text))
    return { entries, nextAfter: found.length > entries.length ? entries.at(-1)!.id : null }
  },
})
