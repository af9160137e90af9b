/** Counts of the items that wait for the person. */
import { resource } from '../../platform/cache.ts'
import { isAdmin, me } from '../../platform/session.ts'
import { standing } from './shared/standing.ts'

/** The number of requests that wait for the person's decision; for people who cannot decide, of those that were returned to them. */
export function waiting() {
  const { canApprove, canRequest } = standing.data ?? {}
  const pending = (mine = false) =>
    resource('/executive-meetings/requests', { query: { status: 'pending', limit: 1, ...(mine && { mine }) } }).data?.totalCount
  // Only administrators may decide on their own requests.
  if (canApprove) return canRequest && !isAdmin.value ? Math.max(0, (pending() ?? 0) - (pending(true) ?? 0)) : pending()
  if (canRequest)
    return resource('/executive-meetings/requests', { query: { status: 'needs_edit', mine: true, limit: 1 } }).data?.totalCount
  return undefined
}

/** The number of the person's own tasks that are not done. */
export function mineOpen() {
  const counts = me.value && resource('/executive-meetings/tasks/counts', { query: { assigneeId: me.value.id } }).data?.counts
  return counts && counts.open + counts.in_progress
}
