import { permissionAuditCsv, readPermissionAudit } from '../audit/queries.ts'
import { HistoryFilters, HistoryQuery, PermissionAuditList } from '../audit/shapes.ts'
import { download, query } from '../platform/http/endpoint.ts'
import { daySpan } from '../platform/http/page.ts'
import { IdParams } from '../platform/http/shape.ts'
import { loadApp } from './queries.ts'

export const readAppAudit = query('GET /apps/:id/audit', {
  summary: 'What the permissions of an app gained and lost, newest first',
  description:
    'Each entry has its author and time, what was added and removed, and the set before and after. `from` and `to` are days in UTC, both inclusive.',
  allow: 'admin',
  params: IdParams,
  query: HistoryQuery,
  reply: PermissionAuditList,
  refuses: ['not_found'],
  run: async ({ db, params: { id }, query }) => {
    daySpan(query)
    await loadApp(db, id)
    return readPermissionAudit(db, 'app', id, query)
  },
})

export const exportAppAudit = download('GET /apps/:id/audit.csv', {
  summary: 'The same history as a CSV file of at most 10,000 rows',
  description:
    'Names are joined by `; `, those of deleted things as they were last. Where there are more rows, `X-Rows-Omitted` has their number, and one row more says so in its first cell.',
  allow: 'admin',
  params: IdParams,
  query: HistoryFilters,
  contentType: 'text/csv; charset=utf-8',
  example: 'timestamp,actor_username,added,removed\n',
  refuses: ['not_found'],
  run: async ({ db, actor: { language }, params: { id }, query }) => {
    daySpan(query)
    await loadApp(db, id)
    return permissionAuditCsv(db, { kind: 'app', id, language }, query)
  },
})
