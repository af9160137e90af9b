import { csvChunks } from '../../platform/csv.ts'
import { refuse } from '../../platform/errors/refusal.ts'
import { download, query } from '../../platform/http/endpoint.ts'
import { daySpan } from '../../platform/http/page.ts'
import { CSV_COLUMNS, countOmitted, pageLogRows, readLog, readLogDays } from './log.ts'
import { readSeal } from './rules.ts'
import { newestSeal } from './seals.ts'
import {
  AuditLogList,
  HandedSeal,
  LogCounts,
  LogCountsQuery,
  LogFilters,
  LogQuery,
  MOST_DAYS,
  Verification,
  VerificationQuery,
} from './shapes.ts'
import { verifySeals } from './verification.ts'

export const readAuditLog = query('GET /admin/audit-logs', {
  summary: 'The audit log, newest first',
  description:
    'Filters are combined; days are whole days in UTC. With `before`, a page continues after that entry, equally fast at any depth. With `q`, `totalCount` counts at most 10,000.',
  allow: 'admin',
  scope: 'audit:read',
  query: LogQuery,
  reply: AuditLogList,
  run: ({ db, query }) => readLog(db, query),
})

export const countAuditLogDays = query('GET /admin/audit-logs/counts', {
  summary: 'The number of entries of the audit log on each day',
  description: `The days from \`from\` to \`to\` in UTC, both inclusive, at most ${MOST_DAYS}; filters as in the list.`,
  allow: 'admin',
  scope: 'audit:read',
  query: LogCountsQuery,
  reply: LogCounts,
  run: ({ db, query }) => readLogDays(db, query),
})

export const exportAuditLog = download('GET /admin/audit-logs/export', {
  summary: 'The audit log as a CSV file of at most 50,000 rows',
  description:
    'Filters as in the list. The text begins with a byte-order mark; cells that a spreadsheet could execute begin with a single quote. Where a record of an entry is deleted and the entry does not say its name, `refs` in the metadata has it, as in the list. If there are more rows, `X-Rows-Omitted` has the number of the omitted ones, and one more row says so in its first cell.',
  allow: 'admin',
  scope: 'audit:read',
  query: LogFilters,
  contentType: 'text/csv; charset=utf-8',
  example: 'action,actor_username,target_type,target_id,created_at,metadata\n',
  run: async ({ db, actor, query }) => {
    daySpan(query)
    const omitted = await countOmitted(db, query)
    return {
      omitted,
      filename: `audit-log-${new Date().toISOString().slice(0, 10)}.csv`,
      contentType: 'text/csv; charset=utf-8',
      chunks: csvChunks(CSV_COLUMNS, pageLogRows(db, query), { omitted, language: actor.language }),
    }
  },
})

export const handOutSeal = query('GET /admin/audit-logs/seal', {
  summary: 'The newest seal of the ledger, to be stored where nobody with access to the database can change it',
  description: 'The portal also logs it once a day. The first seal is made a minute after the first start; before that, there is none.',
  allow: 'admin',
  scope: 'audit:read',
  reply: HandedSeal,
  refuses: ['not_found'],
  run: async ({ db }) => (await newestSeal(db)) ?? refuse('not_found'),
})

export const verifyAuditLog = query('GET /admin/audit-logs/verify', {
  summary: 'Whether the ledger still matches its seals, and the first row that does not',
  description: 'Call it again from `nextSeal` until that is null. With `seal`, it also finds a ledger that was rewritten and sealed again.',
  allow: 'admin',
  scope: 'audit:read',
  query: VerificationQuery,
  reply: Verification,
  run: ({ db, query: { from, limit, seal } }) => verifySeals(db, { from: from!, limit: limit!, noted: seal ? readSeal(seal) : null }),
})
