import { useEffect } from 'preact/hooks'
import { changeAll, invalidate, resource } from '../../platform/cache.ts'
import { api, guess, type Schemas } from '../../platform/client.ts'
import { onEvent } from '../../platform/live.ts'

export type Notification = Schemas['Notification']

/** How many more notifications the page shows on request. */
export const PART = 50
/** The portal's highest limit for a list. */
export const MOST = 500

/** The newest notifications; all of them if `limit` is above `MOST`. */
export const newestOf = (unread: boolean, limit = PART) =>
  resource('/notifications', { query: { ...(limit <= MOST && { limit }), ...(unread && { unread }) } })

/** The person's counts, including unread notifications. */
export const counts = resource('/stats/home')

export const read = (isMeant: (one: Notification) => boolean) =>
  changeAll('/notifications', (all) => all.map((one) => (isMeant(one) ? { ...one, isRead: true } : one)))

/** Marks a notification as read: at once on this page, and on other pages through the portal's event. */
export const readOne = ({ id }: Notification) => {
  read((one) => one.id === id)
  // `keepalive`, because the person may leave the page at once.
  return guess(
    () => void invalidate('/notifications'),
    api.PATCH('/notifications/{id}/read', { params: { path: { id } }, keepalive: true }),
  )
}

type RelatedType = Schemas['RelatedType']
/** Marks the notifications about a record as read while its page is open. */
export function useReadAbout(relatedType: RelatedType, relatedId: number) {
  useEffect(() => {
    const isAbout = (one: Notification) => one.relatedType === relatedType && one.relatedId === relatedId
    const mark = () => {
      read(isAbout)
      api.POST('/notifications/read-about', { body: { relatedType, relatedId }, keepalive: true }).catch(() => {})
    }
    if (counts.peek()?.unreadNotifications !== 0) mark()
    return onEvent('notification_created', ({ notification }) => isAbout(notification) && mark())
  }, [relatedType, relatedId])
}

/** Groups notifications by subject, which is the key of each group. The groups, and the notifications in each, are sorted newest first. */
export const byThing = (all: Notification[]) =>
  Map.groupBy(
    all.toSorted((one, other) => other.id - one.id),
    ({ id, relatedType, relatedId }) => (relatedType && relatedId ? `${relatedType} ${relatedId}` : String(id)),
  )
