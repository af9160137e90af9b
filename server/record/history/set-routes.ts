/** The histories of the sets of people, groups and apps. Roles have theirs in `roles/`, because their entries have another shape. */

import { checkGroupExists } from '../../people/groups/queries.ts'
import { checkUserExists } from '../../people/users/queries.ts'
import type { Reads } from '../../platform/database/db.ts'
import { download, query } from '../../platform/http/endpoint.ts'
import { daySpan } from '../../platform/http/page.ts'
import { IdParams } from '../../platform/http/shape.ts'
import { loadApp } from '../../work/apps/queries.ts'
import { type HistoryTarget, permissionAuditCsv, readPermissionAudit } from '../audit/queries.ts'
import { HistoryFilters, HistoryQuery, PermissionAuditList } from '../audit/shapes.ts'

const targets: Record<HistoryTarget, { path: string; check: (db: Reads, id: number) => Promise<unknown> }> = {
  user: { path: 'users', check: checkUserExists },
  group: { path: 'groups', check: checkGroupExists },
  app: { path: 'apps', check: loadApp },
}

const historyOf = (kind: HistoryTarget, summary: string) =>
  query(`GET /${targets[kind].path}/:id/audit`, {
    summary,
    description:
      'Each entry has its author and time, what was added and removed, and the set before and after. `from` and `to` are days in UTC, both inclusive.',
    allow: 'admin',
    scope: 'audit:read',
    params: IdParams,
    query: HistoryQuery,
    reply: PermissionAuditList,
    refuses: ['not_found'],
    run: async ({ db, params: { id }, query }) => {
      daySpan(query)
      await targets[kind].check(db, id)
      return readPermissionAudit(db, kind, id, query)
    },
  })

const fileOf = (kind: HistoryTarget) =>
  download(`GET /${targets[kind].path}/:id/audit.csv`, {
    summary: 'The same history as a CSV file of at most 10,000 rows',
    description:
      'Names are joined by `; `; deleted records have their last names. If there are more rows, `X-Rows-Omitted` has the number of the omitted ones, and one more row says so in its first cell.',
    allow: 'admin',
    scope: 'audit:read',
    params: IdParams,
    query: HistoryFilters,
    contentType: 'text/csv; charset=utf-8',
    example: 'timestamp,actor_username,added,removed\n',
    refuses: ['not_found'],
    run: async ({ db, actor: { language }, params: { id }, query }) => {
      daySpan(query)
      await targets[kind].check(db, id)
      return permissionAuditCsv(db, { kind, id, language }, query)
    },
  })

export const readUserAudit = historyOf('user', 'The roles and groups that a person gained and lost, newest first')
export const exportUserAudit = fileOf('user')
export const readGroupAudit = historyOf('group', 'The members, roles and apps that a group gained and lost, newest first')
export const exportGroupAudit = fileOf('group')
export const readAppAudit = historyOf('app', 'The permissions that an app started and stopped requiring, newest first')
export const exportAppAudit = fileOf('app')
