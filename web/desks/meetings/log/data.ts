import type { Entry } from '../../../parts/show/log/entries.ts'
import { resource } from '../../../platform/cache.ts'
import type { Schemas } from '../../../platform/client.ts'

type Kind = Schemas['MeetingEntityKind']
const PAGE = 50

/** The filters of the address, as the API takes them. */
export interface Filters {
  entityKind?: Kind
  entityId?: number
  action?: string
  actorUserId?: number
  from?: string
  to?: string
}

/** A page of changes from `offset` on, newest first. */
export const logPage = (filters: Filters, offset = 0) =>
  resource('/executive-meetings/audit-logs', { query: { ...filters, limit: PAGE, ...(offset && { offset }) } })
export const logOfAll = resource('/executive-meetings/audit-logs', { query: { limit: 1 } })

export const kinds: readonly Kind[] = ['meeting', 'request', 'task', 'pdf_archive', 'font_settings']
/** The name of each kind in the log of the whole portal. */
export const typeOf: Record<Kind, string> = {
  meeting: 'meeting',
  request: 'meeting_request',
  task: 'meeting_task',
  font_settings: 'font_settings',
  pdf_archive: 'pdf_archive',
}

/** Converts a change into an entry of the portal's log. */
export function entryOf({
  id,
  entityKind,
  entityId,
  action,
  before,
  after,
  createdAt,
  actor,
  revertOf,
  refs,
}: Schemas['MeetingAuditEntry']): Entry {
  const targetType = typeOf[entityKind]
  const metadata = { ...(before && { before }), ...(after && { after }) }
  return { id, action: `${targetType}.${action}`, targetType, targetId: entityId, metadata, createdAt, actor, revertOf, refs }
}
