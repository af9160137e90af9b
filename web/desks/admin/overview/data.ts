import { officeToday } from '../../../frame/office.ts'
import { between } from '../../../parts/forms/calendar/days.ts'
import { read } from '../../../people/notifications/data.ts'
import { resource } from '../../../platform/cache.ts'
import { answer, api, type Schemas } from '../../../platform/client.ts'
import { asksForLink } from '../shared/asks-for-link.ts'

type Notification = Schemas['Notification']

/** The newest unread notifications of the administrator. */
const unread = resource('/notifications', { query: { limit: 100, unread: true } })
/** The newest open reviews. */
const openReviews = resource('/access-reviews', { query: { view: 'all', status: 'open', limit: 50 } })
/** The pending requests that this administrator may decide. */
export const requestsForMe = resource('/access-requests', { query: { view: 'review', limit: 1 } })
export const lastEntries = resource('/admin/audit-logs', { query: { limit: 5 } })
export const totals = resource('/stats/home')
export const person = (id: number) => resource('/users/{id}', { path: { id } })

/**
 * The unread notifications of forgotten passwords, which the portal sends only if it cannot send mail: one per person, the oldest first.
 */
export function askedForLinks(): Notification[] {
  const asked = (unread.data ?? []).filter((one) => !one.isRead && asksForLink(one))
  return [...new Map(asked.toReversed().map((one) => [one.relatedId, one])).values()]
}
/** Issues a link. The portal marks the notifications that asked for one as read, for every administrator. */
export async function issueLink(asked: Notification): Promise<Schemas['ResetLink']> {
  const link = await answer(api.POST('/auth/admin/users/{id}/issue-reset-link', { params: { path: { id: asked.relatedId! } } }))
  read((one) => asksForLink(one) && one.relatedId === asked.relatedId)
  return link
}

/** A review with undecided items is shown from this many days before its end. */
const SOON_DAYS = 7
/** Open reviews that end soon and have undecided items, the first to end first. */
export const reviewsDue = () =>
  (openReviews.data?.items ?? [])
    .filter(({ counts, dueDate }) => counts.undecided > 0 && between(officeToday(), dueDate) <= SOON_DAYS)
    .toSorted((one, other) => one.dueDate.localeCompare(other.dueDate))
