/** How much waits for the person in places of the desk. */
import { resource } from '../platform/cache.ts'
import { me } from '../platform/session.ts'
import { standing } from './shared/standing.ts'

/** The requests that wait for the person's decision, or came back to them for changes. */
export function waiting() {
  const { canApprove, canRequest } = standing.data ?? {}
  if (canApprove) return resource('/executive-meetings/requests', { query: { status: 'pending', limit: 1 } }).data?.totalCount
  if (canRequest)
    return resource('/executive-meetings/requests', { query: { status: 'needs_edit', mine: true, limit: 1 } }).data?.totalCount
  return undefined
}

/** The person's own tasks that are not done. */
export function mineOpen() {
  const counts = me.value && resource('/executive-meetings/tasks/counts', { query: { assigneeId: me.value.id } }).data?.counts
  return counts && counts.open + counts.in_progress
}
