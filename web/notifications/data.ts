import { useEffect } from 'preact/hooks'
import { changeAll, invalidate, resource } from '../platform/cache.ts'
import { api, guess, type Schemas } from '../platform/client.ts'
import { hear } from '../platform/live.ts'

export type Notification = Schemas['Notification']

/** How many are asked for at a time. */
export const PART = 50

/** A part of the list, newest first: those before an id, or the newest. */
export const partOf = (unread: boolean, before?: number) =>
  resource('/notifications', { query: { limit: PART, ...(unread && { unread }), ...(before && { before }) } })

/** What is counted for the person, the unread among it. */
export const counts = resource('/stats/home')

export const read = (isMeant: (one: Notification) => boolean) =>
  changeAll('/notifications', (all) => all.map((one) => (isMeant(one) ? { ...one, isRead: true } : one)))

/** Marks one as read: at once here, and everywhere else by its event. */
export const readOne = ({ id }: Notification) => {
  read((one) => one.id === id)
  // Also if the page is left at once.
  return guess(
    () => void invalidate('/notifications'),
    api.PATCH('/notifications/{id}/read', { params: { path: { id } }, keepalive: true }),
  )
}

type RelatedType = Schemas['RelatedType']
/** Marks the notices about a record as read while its page is open. */
export function useReadAbout(relatedType: RelatedType, relatedId: number) {
  useEffect(() => {
    const isAbout = (one: Notification) => one.relatedType === relatedType && one.relatedId === relatedId
    const tell = () => {
      read(isAbout)
      api.POST('/notifications/read-about', { body: { relatedType, relatedId }, keepalive: true }).catch(() => {})
    }
    if (counts.peek()?.unreadNotifications !== 0) tell()
    return hear('notification_created', ({ notification }) => isAbout(notification) && tell())
  }, [relatedType, relatedId])
}

/** Those about the same thing together, the newest first among them and in each. */
export const byThing = (all: Notification[]): Notification[][] => [
  ...Map.groupBy(
    all.toSorted((one, other) => other.id - one.id),
    ({ id, relatedType, relatedId }) => (relatedType && relatedId ? `${relatedType} ${relatedId}` : String(id)),
  ).values(),
]
